// Parses the JSON values that are inserted into a template, without losing digits of large integers.

interface Source {
  source?: string
}

// The source text of a number is in V8's `JSON.parse`, but not yet in TypeScript's library:
// https://github.com/tc39/proposal-json-parse-with-source
const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: Source) => unknown,
) => unknown

/**
 * Parses JSON as the values of a template. An integer that a double cannot hold becomes a string of its digits, so that
 * the output shows it unchanged.
 */
export const valuesIn = (json: string) => (/\d{16}/.test(json) ? parse(json, keepDigits) : JSON.parse(json)) as object

const keepDigits = (_: string, value: unknown, { source = '' }: Source) =>
  typeof value === 'number' ? exactNumber(source) : value

/** A number of JSON text as a value of a template: a string if it is an integer that a double cannot hold. */
export function exactNumber(source: string): number | string {
  const value = Number(source)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(source) ? value : source
}
