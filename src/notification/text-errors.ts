// Collects the errors of a template's texts, so that one reply shows all of them.
import { invalidParameters } from '#core/failure'
import { TemplateError } from '#core/template/template'

const maxErrors = 100
const maxMessageLength = 200

/** Errors by `field` or `field.locale`. Only the first `maxErrors` are kept, so that the reply stays small. */
export class TextErrors {
  readonly #errors: Record<string, string> = {}

  /**
   * Adds the error of a template that does not parse or render. Rethrows any other error, since it is not the caller's fault.
   */
  addError(place: string, error: unknown): void {
    if (!(error instanceof TemplateError)) throw error
    const { message, line, column } = error
    const isTooLong = message.length > maxMessageLength
    this.add(place, isTooLong ? `${message.slice(0, maxMessageLength)}… (line ${line}, column ${column})` : message)
  }

  add(place: string, message: string): void {
    if (Object.keys(this.#errors).length < maxErrors) this.#errors[place] ??= message
  }

  /** Throws 400 with all errors, if there are any. */
  throwIfAny(): void {
    if (Object.keys(this.#errors).length > 0) throw invalidParameters(this.#errors)
  }
}
