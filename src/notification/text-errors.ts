// Collects the errors of a template's texts, so that one reply shows all of them.
import { invalidParameters } from '#core/failure'
import { TemplateError } from '#core/template/template'

const maxErrors = 100
const maxMessageLength = 200

/** Errors by `field` or `field.locale`, at most `maxErrors`. */
export class TextErrors {
  readonly #errors: Record<string, string> = {}

  /** Adds an error of a template. Rethrows all other errors. */
  addError(place: string, error: unknown): void {
    if (!(error instanceof TemplateError)) throw error
    const { message, line, column } = error
    const isTooLong = message.length > maxMessageLength
    this.add(place, isTooLong ? `${message.slice(0, maxMessageLength)}… (line ${line}, column ${column})` : message)
  }

  add(place: string, message: string): void {
    if (Object.keys(this.#errors).length < maxErrors) this.#errors[place] ??= message
  }

  /** Throws 400 if there are errors. */
  throwIfAny(): void {
    if (Object.keys(this.#errors).length > 0) throw invalidParameters(this.#errors)
  }
}
