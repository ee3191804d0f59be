import { TemplateError } from '#core/template/template'
import { failure } from './errors.ts'

const most = 100
const longest = 200

/** What is wrong with templates, by the place of each: its field, and its locale where it has one. */
export class Problems {
  readonly #errors: Record<string, string> = {}

  /** Notes an error of a template; any other is thrown on. */
  add(place: string, error: unknown): void {
    if (!(error instanceof TemplateError)) throw error
    const { message, line, column } = error
    const isLong = message.length > longest
    this.say(place, isLong ? `${message.slice(0, longest)}… (line ${line}, column ${column})` : message)
  }

  say(place: string, message: string): void {
    if (Object.keys(this.#errors).length < most) this.#errors[place] ??= message
  }

  /** 400 where something was wrong. */
  refuse(): void {
    const places = Object.keys(this.#errors)
    if (places.length === 0) return
    throw failure('validation_failed', `Not valid: ${places.slice(0, 10).join(', ')}`, { errors: this.#errors })
  }
}
