import type { Analysis, Place, Word } from './analysis/analysis.ts'
import { kindOfUnit, kinds } from './analysis/characters.ts'
import { fold } from './analysis/fold.ts'

/** What is marked in a text. */
export interface Wanted {
  /** Whole words, by their terms. */
  terms: ReadonlySet<string>
  /** What the unstemmed word begins with, folded: that much of the word is marked. */
  prefix?: string
  /** Words that are found in another way, such as by a typing error. */
  matches?: (word: Word) => boolean
}

/** The text, escaped for HTML, with `<mark>` around the words that are wanted; those that touch have one. */
export const highlight = (text: string, analysis: Analysis, wanted: Wanted): string => {
  let html = ''
  let written = 0
  for (const [start, end] of joined(marks(text, analysis, wanted))) {
    html += `${escaped(text.slice(written, start))}<mark>${escaped(text.slice(start, end))}</mark>`
    written = end
  }
  return html + escaped(text.slice(written))
}

type Mark = readonly [start: number, end: number]

const marks = (text: string, analysis: Analysis, { terms, prefix, matches }: Wanted) =>
  analysis.places(text).flatMap((place): Mark[] => {
    if (terms.has(place.term) || matches?.(place)) return [[place.start, place.end]]
    return prefix && place.word.startsWith(prefix) ? [[place.start, endOfPrefix(text, place, prefix)]] : []
  })

/** Where the beginning of a word ends that folds to the prefix; the word's end if there is no such beginning. */
const endOfPrefix = (text: string, { start, end }: Place, prefix: string) => {
  const near = start + prefix.length
  if (near <= end && isPlainEnd(text, near) && fold(text.slice(start, near)) === prefix) return near
  let folded = ''
  for (const { segment, index } of graphemes.segment(text.slice(start, end))) {
    folded += fold(segment)
    if (folded === prefix) return start + index + segment.length
    if (folded.length >= prefix.length) return end
  }
  return end
}

/** Whether a grapheme certainly ends here: of what most texts have there is no need to ask the runtime. */
const isPlainEnd = (text: string, at: number) => {
  const before = text.charCodeAt(at - 1)
  const isPlain = before < 0x590 ? kindOfUnit(before) === kinds.letter : kindOfUnit(before) === kinds.ideograph
  return isPlain && (at === text.length || plainAfter.has(kindOfUnit(text.charCodeAt(at))))
}

const plainAfter = new Set<number>([kinds.letter, kinds.ideograph, kinds.gap])

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** One mark for those that overlap or touch, such as the pairs of a run of Chinese. */
const joined = (found: readonly Mark[]) => {
  const runs: [number, number][] = []
  for (const [start, end] of found) {
    const last = runs.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else runs.push([start, end])
  }
  return runs
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
