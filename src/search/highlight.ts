import { escapeHtml } from '#core/template/html'
import type { Analysis, Word, WordPlace } from './analysis/analysis.ts'
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
    html += `${escapeHtml(text.slice(written, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    written = end
  }
  return html + escapeHtml(text.slice(written))
}

type Mark = readonly [start: number, end: number]

const marks = (text: string, analysis: Analysis, { terms, prefix, matches }: Wanted) => {
  const typed = prefix ? typedPart(text, prefix) : undefined
  return analysis.places(text).flatMap((place): Mark[] => {
    if (terms.has(place.term) || matches?.(place)) return [[place.start, place.end]]
    return prefix && typed && place.word.startsWith(prefix) ? [[place.start, typed(place)]] : []
  })
}

/** Where the part of a word ends that folds to the prefix; the word's end if there is no such part. */
const typedPart = (text: string, prefix: string) => {
  const known = new Map<string, number>()
  return ({ word, start, end }: WordPlace) => {
    if (word === prefix) return end
    const written = text.slice(start, end)
    const length = known.get(written) ?? lengthOf(written, prefix)
    known.set(written, length)
    return start + length
  }
}

const lengthOf = (written: string, prefix: string) => {
  const near = written.slice(0, prefix.length)
  if (isPlainEnd(written, near.length) && fold(near) === prefix) return near.length
  let folded = ''
  for (const { segment, index } of graphemesOf(written)) {
    folded += fold(segment)
    if (folded === prefix) return index + segment.length
    if (folded.length >= prefix.length) break
  }
  return written.length
}

/** Whether a grapheme certainly ends here: of what most texts have there is no need to ask the runtime. */
const isPlainEnd = (text: string, at: number) => {
  const before = text.charCodeAt(at - 1)
  const isPlain = before < 0x590 ? kindOfUnit(before) === kinds.letter : kindOfUnit(before) === kinds.ideograph
  return isPlain && (at === text.length || plainAfter.has(kindOfUnit(text.charCodeAt(at))))
}

const plainAfter = new Set<number>([kinds.letter, kinds.ideograph, kinds.gap])

const graphemesOf = (text: string) => {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return graphemes.segment(text)
}

/** Made when it is needed, since its data take the runtime long to load. */
let graphemes: Intl.Segmenter | undefined

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
