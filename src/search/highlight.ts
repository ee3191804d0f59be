// Marks words in a text, as HTML. query-highlighter.ts chooses the words by the query.
import { escapeHtml } from '#core/template/html'
import { kindOfUnit, kinds } from './analysis/characters.ts'
import { fold } from './analysis/fold.ts'
import type { Analyzer, Token, Word } from './analysis/types.ts'

/** The words to mark in a text. */
export interface HighlightTarget {
  /** Terms of the words to mark. */
  terms: ReadonlySet<string>
  /** Folded prefix of the unstemmed words to mark: only that part of the word is marked. */
  prefix?: string
  /** Checks for other words to mark, such as those with typos. */
  matches?: (word: Word) => boolean
}

/** Escapes a text for HTML, and puts `<mark>` around the target words. Adjacent words share one mark. */
export const highlight = (text: string, analyzer: Analyzer, target: HighlightTarget): string => {
  let html = ''
  let written = 0
  for (const [start, end] of mergeMarks(marksOf(text, analyzer, target))) {
    html += `${escapeHtml(text.slice(written, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    written = end
  }
  return html + escapeHtml(text.slice(written))
}

type Mark = readonly [start: number, end: number]

const marksOf = (text: string, analyzer: Analyzer, { terms, prefix, matches }: HighlightTarget) => {
  const prefixEnd = prefix ? prefixEndIn(text, prefix) : undefined
  return analyzer.tokens(text).flatMap((token): Mark[] => {
    if (terms.has(token.term) || matches?.(token)) return [[token.start, token.end]]
    return prefix && prefixEnd && token.word.startsWith(prefix) ? [[token.start, prefixEnd(token)]] : []
  })
}

/**
 * Returns a function that finds the end of the mark in a token: the end of the part that folds to the prefix, or the token's end if
 * no part does.
 */
const prefixEndIn = (text: string, prefix: string) => {
  const known = new Map<string, number>()
  return ({ word, start, end }: Token) => {
    if (word === prefix) return end
    const written = text.slice(start, end)
    const length = known.get(written) ?? prefixLength(written, prefix)
    known.set(written, length)
    return start + length
  }
}

const prefixLength = (written: string, prefix: string) => {
  const candidate = written.slice(0, prefix.length)
  if (isPlainBoundary(written, candidate.length) && fold(candidate) === prefix) return candidate.length
  let folded = ''
  for (const { segment, index } of graphemesOf(written)) {
    folded += fold(segment)
    if (folded === prefix) return index + segment.length
    if (folded.length >= prefix.length) break
  }
  return written.length
}

/** Whether a grapheme certainly ends at an offset. Decides the common cases without `Intl.Segmenter`, which is slow. */
const isPlainBoundary = (text: string, at: number) => {
  const before = text.charCodeAt(at - 1)
  const isPlain = before < 0x590 ? kindOfUnit(before) === kinds.letter : kindOfUnit(before) === kinds.ideograph
  return isPlain && (at === text.length || plainAfter.has(kindOfUnit(text.charCodeAt(at))))
}

const plainAfter = new Set<number>([kinds.letter, kinds.ideograph, kinds.gap])

const graphemesOf = (text: string) => {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return graphemes.segment(text)
}

/** The segmenter is created at its first use, because loading its data is slow. */
let graphemes: Intl.Segmenter | undefined

/** Merges marks that overlap or touch, such as those of overlapping pairs of Chinese characters. */
const mergeMarks = (all: readonly Mark[]) => {
  const runs: [number, number][] = []
  for (const [start, end] of all) {
    const last = runs.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else runs.push([start, end])
  }
  return runs
}
