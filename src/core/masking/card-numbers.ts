// Finds and masks card numbers in a text, also escaped ones and those in base64.
import { decodeBase64, findBase64 } from './base64.ts'
import { type Character, decodedAt, digitOf, isLetter, plainAt } from './characters.ts'

/** Replacement for masked text. */
export const masked = '***'

// Minimum and maximum number of digits of a card number (ISO/IEC 7812-1).
const minDigits = 13
const maxDigits = 19

/** Start and exclusive end of a part of a text. */
type Range = [from: number, to: number]

type Read = (text: string, at: number) => Character

/**
 * Replaces card numbers (13 to 19 digits that pass the Luhn check, with any separators that are not letters), magnetic
 * stripe tracks, and base64 that contains either. The text is examined twice: raw, and with its escapes decoded.
 */
export function maskNumbers(text: string): string {
  const ranges = [...cardRanges(text, plainAt), ...base64Ranges(text)]
  if (/[%\\&]/.test(text)) ranges.push(...cardRanges(text, decodedAt))
  let kept = ''
  let end = 0
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    if (from >= end) kept += text.slice(end, from) + masked
    end = Math.max(end, to)
  }
  return kept + text.slice(end)
}

/** Length of the shortest card number in base64. Shorter base64 is not decoded. */
const minBase64Length = 18

/** Decodes base64 from each of its first four characters, since other text of the alphabet may precede it. */
function base64Ranges(text: string): Range[] {
  const ranges: Range[] = []
  for (const { digits, from, to } of findBase64(text, minBase64Length)) {
    const hasCard = [0, 1, 2, 3].some((offset) => cardRanges(decodeBase64(digits.slice(offset)), plainAt).length > 0)
    if (hasCard) ranges.push([from, to])
  }
  return ranges
}

interface Digit {
  value: number
  from: number
  to: number
  /** Separator before this digit: none, a single space or dash, or any other separator. */
  gap: 'none' | 'plain' | 'other'
}

/** Maximum number of characters between two digits of one number. */
const maxSeparators = 4

/** Maximum number of digits that are examined together, which bounds the memory. */
const maxRunDigits = 4_096

// A date with a time. Its 12 or more digits may pass the Luhn check by chance, but are not a card number, and the log needs them.
const dateTime =
  /(?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\d(?:[T +]|%20)[0-2]\d(?::|%3A)[0-5]\d(?:(?::|%3A)[0-5]\d(?:\.\d{1,9})?)?(?!\d)/iy

/** Finds card numbers and the tracks that start with them. A letter or more than four separators end a run of digits. */
function cardRanges(text: string, read: Read): Range[] {
  const ranges: Range[] = []
  let run: Digit[] = []
  let separators = 0
  let isPlain = true
  let trackEnd = 0
  const endRun = (kept: Digit[]) => {
    for (const range of run.length >= minDigits ? numbersIn(run) : []) {
      // A number inside a track does not start another track, so each character is examined once.
      const found = range[1] <= trackEnd ? range : withTrack(text, range)
      trackEnd = Math.max(trackEnd, found[1])
      ranges.push(found)
    }
    run = kept
  }
  for (let at = 0; at < text.length; ) {
    const { code, end } = read(text, at)
    const value = digitOf(code)
    if (value !== undefined) {
      dateTime.lastIndex = at
      if ((run.length === 0 || separators > 0) && dateTime.test(text)) {
        endRun([])
        at = dateTime.lastIndex
        continue
      }
      if (run.length === maxRunDigits) endRun(run.slice(-maxDigits))
      const gap = separators === 0 ? 'none' : separators === 1 && isPlain ? 'plain' : 'other'
      run.push({ value, from: at, to: end, gap })
      separators = 0
      isPlain = true
    } else if (run.length > 0) {
      separators++
      isPlain &&= isPlainSeparator(code)
      if (isLetter(code) || separators > maxSeparators) {
        endRun([])
        separators = 0
        isPlain = true
      }
    }
    at = end
  }
  endRun([])
  return ranges
}

const isPlainSeparator = (code: number) => /[\s\p{Zs}\p{Pd}]/u.test(String.fromCodePoint(code))

/**
 * Finds the card numbers in a run of digits. If single spaces or dashes separate its groups, a number may start and end at any
 * digit. With other separators, a number must start and end with a group, otherwise lists of numbers would be masked.
 */
function numbersIn(run: Digit[]): Range[] {
  const ranges: Range[] = []
  let row = 0
  for (const [i] of run.entries()) {
    const next = run[i + 1]?.gap
    const number =
      next !== 'none' && findNumberEndingAt(run, i, 0, (first) => first === 0 || run[first]!.gap !== 'none')
    if (number) ranges.push(number)
    if (next === 'none' || next === 'plain') continue
    if (hasNumber(run, row, i)) ranges.push([run[row]!.from, run[i]!.to])
    row = i + 1
  }
  return ranges
}

/** Whether several groups, or one group with more digits than a card number, contain a card number. */
function hasNumber(run: Digit[], first: number, last: number): boolean {
  const digits = last - first + 1
  if (digits > 2 * maxDigits) return true // No notification has such a long number, so it is masked unexamined.
  const isGroup = run.slice(first + 1, last + 1).every(({ gap }) => gap === 'none')
  if (digits < minDigits || (isGroup && digits <= maxDigits)) return false
  for (let i = first + minDigits - 1; i <= last; i++) if (findNumberEndingAt(run, i, first, () => true)) return true
  return false
}

/** The longest number that ends at the digit `last` and passes the Luhn check (ISO/IEC 7812-1, annex B). */
function findNumberEndingAt(
  run: Digit[],
  last: number,
  earliest: number,
  mayBegin: (first: number) => boolean,
): Range | undefined {
  let found: Range | undefined
  let sum = 0
  for (let first = last; first >= earliest && last - first < maxDigits; first--) {
    const value = run[first]!.value * ((last - first) % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
    if (last - first + 1 >= minDigits && sum % 10 === 0 && mayBegin(first)) found = [run[first]!.from, run[last]!.to]
  }
  return found
}

// Maximum number of characters that are masked after a card number. Longer than any track (ISO/IEC 7813: 79 and 40 characters).
const maxTrackLength = 200

const character = (text: string) => text.codePointAt(0)!
const [caret, question] = [character('^'), character('?')]
const fieldSeparators = ['=', 'D', 'd'].map(character)
const trackEnds = ['?', '\r', '\n', '"', '<', '&'].map(character)

/** Extends a card number by the rest of its track: name, expiry, service code and discretionary data. */
function withTrack(text: string, [from, to]: Range): Range {
  if (to >= text.length) return [from, to]
  const { code, end } = decodedAt(text, to)
  if (code === caret) return [from, skip(text, end, (next) => !trackEnds.includes(next))]
  if (!fieldSeparators.includes(code)) return [from, to]
  const last = skip(text, end, (next) => digitOf(next) !== undefined)
  return [from, last > end ? last : to]
}

function skip(text: string, at: number, isInside: (code: number) => boolean): number {
  let end = at
  for (let n = 0; n < maxTrackLength && end < text.length; n++) {
    const next = decodedAt(text, end)
    if (next.code === question) return next.end
    if (!isInside(next.code)) return end
    end = next.end
  }
  return end
}
