import { Failure } from '#core/failure'
import type { Texts } from '#core/template/locale'
import { type Kind, parseTemplate, TemplateError } from '#core/template/template'
import { type Field, fields } from './fields.ts'

/** The texts of a template as they are stored: JSON, null where there is none. */
export type Stored = Record<Field, string | null>

/** The text of a field, or those of its locales. */
export function textsIn(json: string): Texts {
  const texts: Texts | number = JSON.parse(json)
  return typeof texts === 'number' ? String(texts) : texts
}

/** Only an email is HTML, in which values are escaped. */
export const kindOf = (field: Field): Kind => (field === 'email_html' ? 'html' : 'text')

/** What a text is called where something is wrong with it: its field, and its locale where it has one. */
export const placeOf = (field: Field, locale: string | null) => (locale === null ? field : `${field}.${locale}`)

const mostBytes = 100_000

/** The names of the values that all texts read, in order; 400 says where a text does not parse. */
export function variablesOf(stored: { [Name in Field]?: string | null | undefined }): string[] {
  const names = new Set<string>()
  const problems = new Problems()
  for (const field of fields) {
    for (const [locale, text] of localesIn(stored[field])) {
      problems.note(placeOf(field, locale), () => {
        for (const name of parseTemplate(text, kindOf(field)).variables) names.add(name)
      })
    }
  }
  problems.refuse()
  const variables = [...names].sort()
  if (JSON.stringify(variables).length <= mostBytes / 3) return variables
  throw new Failure('invalid', `The names of all values that the texts read are more than ${mostBytes} bytes`)
}

function localesIn(json: string | null | undefined): [string | null, string][] {
  if (!json) return []
  const texts = textsIn(json)
  return typeof texts === 'string' ? [[null, texts]] : Object.entries(texts)
}

const most = 100
const longest = 200

/** What is wrong with templates, by the place of each. */
export class Problems {
  readonly #errors: Record<string, string> = {}

  /** Does something with the template of a place, and notes what is wrong with that. */
  note<T>(place: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.add(place, error)
      return undefined
    }
  }

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
    throw new Failure('invalid', `Not valid: ${places.slice(0, 10).join(', ')}`, { errors: this.#errors })
  }
}
