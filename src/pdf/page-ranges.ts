import type * as z from 'zod'

const mostRanges = 100
const message = 'Must be page numbers and ranges separated by commas, such as 1-3,5'

/** Ranges of pages, in the form that the container takes; nothing for all of them. */
export function pageRangesOf(given: string, { issues }: z.core.ParsePayload): string | undefined {
  if (given.trim() === '') return undefined
  const ranges = given.length <= 2_000 ? given.split(',').map(rangeOf) : []
  if (ranges.length > 0 && ranges.length <= mostRanges && ranges.every((range) => range !== undefined))
    return ranges.join(',')
  const wrong = ranges.length > mostRanges ? `Must have at most ${mostRanges} ranges` : message
  issues.push({ code: 'custom', input: given, message: wrong })
  return undefined
}

/** A page, or the first and the last of several. */
function rangeOf(text: string): string | undefined {
  const [, first, last = first] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (!(from >= 1 && from <= to)) return undefined
  return from === to ? `${from}` : `${from}-${to}`
}
