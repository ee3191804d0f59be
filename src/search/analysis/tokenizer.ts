// Splits a text in any script into words. It only finds their offsets; analyzer.ts normalizes the words.
import { kindOfPair, kindOfUnit, kinds } from './characters.ts'

/** Rules of a language for finding words, in addition to spaces and punctuation. */
export interface TokenRules {
  /** Elided words before an apostrophe, such as the French `l’`. They are dropped, since they carry no meaning for a search. */
  elisions?: ReadonlySet<string>
  /** Whether a trailing possessive `’s` is dropped. */
  possessive?: boolean
  /** Whether an apostrophe after a Latin letter ends a word. */
  splitsAtApostrophe?: boolean
  /** Whether Thai, Lao, Khmer and Burmese are split into pairs of characters instead of the words of a dictionary. */
  pairsUnspaced?: boolean
}

/** Callback that receives the offsets of a word. */
type Visit = (start: number, end: number) => void

/**
 * Calls back with the UTF-16 offsets of each word of a text, in order, in linear time. Chinese and Japanese give overlapping
 * pairs of characters (bigrams); in a document, also the last character of a run.
 */
export const tokenize = (text: string, rules: TokenRules, inDocument: boolean, visit: Visit) => {
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at)
    if (kind === kinds.letter) at = visitWord(text, at, rules, visit)
    else if (kind === kinds.ideograph || (kind === kinds.unspaced && rules.pairsUnspaced))
      at = visitPairs(text, at, inDocument, visit)
    else if (kind === kinds.unspaced) at = visitUnspaced(text, at, visit)
    else if (kind === kinds.emoji) at = visitEmoji(text, at, visit)
    else at += widthAt(text, at)
  }
}

/** Returns the kind of the character that begins at an offset. A lone surrogate counts as a gap. */
const kindAt = (text: string, at: number) => {
  const kind = kindOfUnit(text.charCodeAt(at))
  if (kind !== kinds.surrogate) return kind
  return widthAt(text, at) === 2 ? kindOfPair(text, at) : kinds.gap
}

/** Returns the number of UTF-16 units of the character at an offset. */
const widthAt = (text: string, at: number) =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1

/** Returns the end of the character at an offset, its combining marks included. */
const endOfCluster = (text: string, at: number) => {
  let end = at + widthAt(text, at)
  while (end < text.length && kindAt(text, end) === kinds.mark) end += widthAt(text, end)
  return end
}

const visitWord = (
  text: string,
  from: number,
  { elisions, possessive, splitsAtApostrophe }: TokenRules,
  visit: Visit,
) => {
  let start = from
  let apostrophe = -1
  let at = from
  for (; at < text.length; at++) {
    const kind = kindOfUnit(text.charCodeAt(at))
    if (kind === kinds.letter || kind === kinds.mark) continue
    if (kind === kinds.surrogate && isPairWithin(text, at)) at++
    else if (kind === kinds.apostrophe && at + 1 < text.length && kindAt(text, at + 1) === kinds.letter) {
      if (splitsAtApostrophe && isBetweenWords(text, at)) break
      if (elisions && at - start <= maxElisionLength && elisions.has(text.slice(start, at).toLowerCase()))
        start = at + 1
      else apostrophe = at
    } else break
  }
  const isPossessive =
    possessive && apostrophe > start && apostrophe === at - 2 && (text.charCodeAt(at - 1) | 0x20) === 0x73
  visit(start, isPossessive ? apostrophe : at)
  return at
}

const maxElisionLength = 8

/**
 * Whether an apostrophe separates two words: true in O’Neill; false in п’ять, צה״ל and col·lecció, where it is a part of the word.
 */
const isBetweenWords = (text: string, at: number) => /[a-z\u00c0-\u024f]['’]/i.test(text.slice(at - 1, at + 1))

const isPairWithin = (text: string, at: number) => {
  const kind = kindAt(text, at)
  return kind === kinds.letter || kind === kinds.mark
}

/**
 * Visits the overlapping pairs of characters of a run of one kind; in a document, also its last character. Returns the end of the
 * run. With pairs, a search finds any part of a text without spaces, such as Chinese, regardless of word boundaries.
 */
const visitPairs = (text: string, from: number, inDocument: boolean, visit: Visit) => {
  const kind = kindAt(text, from)
  let start = from
  let end = endOfCluster(text, from)
  while (end < text.length && kindAt(text, end) === kind) {
    const next = endOfCluster(text, end)
    visit(start, next)
    start = end
    end = next
  }
  if (inDocument || start === from) visit(start, end)
  return end
}

/**
 * Visits the words of a run of Thai, Lao, Khmer or Burmese, which the dictionaries of `Intl.Segmenter` find. The run includes the
 * spaces and punctuation between its words. Returns the end of the run.
 */
const visitUnspaced = (text: string, from: number, visit: Visit) => {
  let end = from
  while (end < text.length && end - from < maxSegmenterInput && isUnspacedOrGap(text, end))
    end = endOfCluster(text, end)
  for (const { segment, index, isWordLike } of wordsOf(text.slice(from, end))) {
    const start = from + index
    if (isWordLike && kindAt(text, start) === kinds.unspaced) visit(start, start + segment.length)
  }
  return end
}

/**
 * Maximum length of a text for the segmenter; a longer run is split. Sentences are shorter, and the segmenter's time may grow
 * faster than the length.
 */
const maxSegmenterInput = 1024

const isUnspacedOrGap = (text: string, at: number) => {
  const kind = kindAt(text, at)
  return kind === kinds.unspaced || kind === kinds.gap
}

const wordsOf = (text: string) => {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  return segmenter.segment(text)
}

/** The segmenter is created at its first use, because loading its dictionaries is slow. */
let segmenter: Intl.Segmenter | undefined

/** Visits an emoji with its modifiers and joined emoji (ZWJ sequence), as one word. Two regional indicators form a flag. */
const visitEmoji = (text: string, start: number, visit: Visit) => {
  let end = endOfCluster(text, start)
  if (isRegional(text, start)) {
    if (isRegional(text, end)) end = endOfCluster(text, end)
  } else while (text.charCodeAt(end - 1) === joiner && kindAt(text, end) === kinds.emoji) end = endOfCluster(text, end)
  visit(start, end)
  return end
}

const joiner = 0x200d

const isRegional = (text: string, at: number) => {
  const point = text.codePointAt(at) ?? 0
  return point >= 0x1f1e6 && point <= 0x1f1ff
}
