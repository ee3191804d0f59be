import { decodeBase64, findBase64 } from './base64.ts'
import { type Character, decodedAt, digitOf, isLetter, plainAt } from './characters.ts'

/** Replaces everything that is masked. */
export const masked = '***'

// Digits of a card number (ISO/IEC 7812-1).
const minDigits = 13
const maxDigits = 19

/** A part of a text, from its first character to the one after its last. */
type Range = [from: number, to: number]

type Read = (text: string, at: number) => Character

/**
 * Replaces card numbers (13 to 19 digits that pass the check of Luhn, with any separators that are not letters), magnetic
 * stripe tracks, and base64 that contains either. The text is read as it is written and with its escapes decoded.
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

/** Characters of base64 that a card number takes at least. */
const minBase64 = 18

/** Base64 is decoded from each of its first four characters: other text of its alphabet may stand before it. */
function base64Ranges(text: string): Range[] {
  const ranges: Range[] = []
  for (const { digits, from, to } of findBase64(text, minBase64)) {
    const hasCard = [0, 1, 2, 3].some((offset) => cardRanges(decodeBase64(digits.slice(offset)), plainAt).length > 0)
    if (hasCard) ranges.push([from, to])
  }
  return ranges
}

interface Digit {
  value: number
  from: number
  to: number
  /** What stands between it and the digit before it: nothing, a single space or dash, or anything else. */
  gap: 'none' | 'plain' | 'other'
}

/** The most characters between two digits of one number. */
const maxSeparators = 4

/** Digits that are examined together, which bounds the memory. */
const maxRun = 4_096

// Has 12 digits or more, and is no card number.
const dateTime =
  /(?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\d(?:[T +]|%20)[0-2]\d(?::|%3A)[0-5]\d(?:(?::|%3A)[0-5]\d(?:\.\d{1,9})?)?(?!\d)/iy

/** The card numbers of a text and the tracks that they begin. A letter or several separators end a run of digits. */
function cardRanges(text: string, read: Read): Range[] {
  const ranges: Range[] = []
  let run: Digit[] = []
  let separators = 0
  let isPlain = true
  let trackEnd = 0
  const endRun = (kept: Digit[]) => {
    for (const range of run.length >= minDigits ? numbersIn(run) : []) {
      // A number within a track begins no other one: each character is examined once.
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
      if (run.length === maxRun) endRun(run.slice(-maxDigits))
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
 * The card numbers of a run. In a row of digits in which single spaces or dashes separate groups a number begins and ends
 * anywhere; with other separators where groups do, as lists of numbers would be masked otherwise.
 */
function numbersIn(run: Digit[]): Range[] {
  const ranges: Range[] = []
  let row = 0
  for (const [i] of run.entries()) {
    const next = run[i + 1]?.gap
    const number = next !== 'none' && longestUpTo(run, i, 0, (first) => first === 0 || run[first]!.gap !== 'none')
    if (number) ranges.push(number)
    if (next === 'none' || next === 'plain') continue
    if (hasNumber(run, row, i)) ranges.push([run[row]!.from, run[i]!.to])
    row = i + 1
  }
  return ranges
}

/** Whether a row of groups, or of more digits than a card number has, contains one. */
function hasNumber(run: Digit[], first: number, last: number): boolean {
  const digits = last - first + 1
  if (digits > 2 * maxDigits) return true // Nothing that belongs into a notification.
  const isGroup = run.slice(first + 1, last + 1).every(({ gap }) => gap === 'none')
  if (digits < minDigits || (isGroup && digits <= maxDigits)) return false
  for (let i = first + minDigits - 1; i <= last; i++) if (longestUpTo(run, i, first, () => true)) return true
  return false
}

/** The longest number that ends with a digit and passes the check of Luhn (ISO/IEC 7812-1, annex B). */
function longestUpTo(
  run: Digit[],
  last: number,
  earliest: number,
  mayBegin: (first: number) => boolean,
): Range | undefined {
  let longest: Range | undefined
  let sum = 0
  for (let first = last; first >= earliest && last - first < maxDigits; first--) {
    const value = run[first]!.value * ((last - first) % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
    if (last - first + 1 >= minDigits && sum % 10 === 0 && mayBegin(first)) longest = [run[first]!.from, run[last]!.to]
  }
  return longest
}

// Longer than any track (ISO/IEC 7813: 79 and 40 characters).
const maxTrack = 200

const character = (text: string) => text.codePointAt(0)!
const [caret, question] = [character('^'), character('?')]
const fieldSeparators = ['=', 'D', 'd'].map(character)
const trackEnds = ['?', '\r', '\n', '"', '<', '&'].map(character)

/** A number with the rest of the track that it begins: name, expiry, service code and the issuer's data. */
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
  for (let n = 0; n < maxTrack && end < text.length; n++) {
    const next = decodedAt(text, end)
    if (next.code === question) return next.end
    if (!isInside(next.code)) return end
    end = next.end
  }
  return end
}
