// Validates and normalizes the parameter page_ranges, such as 1-3,5.
import type * as z from 'zod'

const maxRanges = 100
const message = 'Must be page numbers and ranges separated by commas, such as 1-3,5'

/** Normalizes page ranges such as `1-3,5` for the container; undefined means all pages. Adds an issue if they are not valid. */
export function pageRangesOf(input: string, { issues }: z.core.ParsePayload): string | undefined {
  if (input.trim() === '') return undefined
  const ranges = input.length <= 2_000 ? input.split(',').map(rangeOf) : []
  if (ranges.length > 0 && ranges.length <= maxRanges && ranges.every((range) => range !== undefined))
    return ranges.join(',')
  const problem = ranges.length > maxRanges ? `Must have at most ${maxRanges} ranges` : message
  issues.push({ code: 'custom', input, message: problem })
  return undefined
}

/** Parses one page number or range; undefined if it is not valid. */
function rangeOf(text: string): string | undefined {
  const [, first, last = first] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (!(from >= 1 && from <= to)) return undefined
  return from === to ? `${from}` : `${from}-${to}`
}
