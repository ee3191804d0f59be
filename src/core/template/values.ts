interface Source {
  source?: string
}

// In V8, not yet in TypeScript's library: https://github.com/tc39/proposal-json-parse-with-source
const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: Source) => unknown,
) => unknown

/** The values of a template out of JSON text. An integer that a double cannot hold is its digits, rather than another number. */
export const valuesIn = (json: string) => (/\d{16}/.test(json) ? parse(json, exactly) : JSON.parse(json)) as object

const exactly = (_: string, value: unknown, { source = '' }: Source) =>
  typeof value === 'number' ? exactNumber(source) : value

/** A number of JSON text as a value of a template: an integer that a double cannot hold is its digits. */
export function exactNumber(source: string): number | string {
  const value = Number(source)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(source) ? value : source
}
