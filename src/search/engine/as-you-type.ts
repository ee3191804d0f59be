import { LruCache } from '#core/lru-cache'
import type { Best } from './best.ts'
import { toBytes } from './bytes.ts'
import { begins, error, score } from './cost.ts'
import { markExcluded } from './exclusion.ts'
import { beginning, isListed } from './invert.ts'
import { type PostingEntry, readEntry } from './postings.ts'
import type { Query } from './query.ts'
import { postingsOf, type Scratch, scratchFor } from './scratch.ts'
import type { Segment } from './segment.ts'
import { allowedErrors, Similarity } from './typing-errors.ts'

/** The least first byte of the terms that are no beginnings. */
const afterBeginnings = beginning.charCodeAt(0) + 1

/** A word of the query. */
interface Sought {
  term: Uint8Array
  characters: string
  isLast: boolean
  /** Finds it with typing errors, where it may have any. */
  similarity: Similarity | undefined
}

/** A part of what a word may be, the cheapest first. */
interface Level {
  entry: PostingEntry
  cost: number
}

/** Finds documents that have every word of a query, the last one as a beginning: a search of one query in all segments. */
export class SearchAsYouType {
  readonly #words: Sought[]
  readonly #excluded: Uint8Array[][]

  constructor({ words, last, excluded = [] }: Query, withErrors: boolean) {
    this.#excluded = excluded.map((run) => run.map(({ term }) => toBytes(term)))
    this.#words = words.map((word) => ({
      term: toBytes(word.term),
      characters: word.term,
      isLast: word.term === last?.term,
      similarity:
        withErrors && allowedErrors(word.term) > 0 ? new Similarity(word.term, word.term === last?.term) : undefined,
    }))
  }

  /** Adds what a segment has; returns how many documents that is. */
  search(segment: Segment, best: Best): number {
    const { rows, seqs, lengths } = segment.facts
    const scratch = scratchFor(rows.length)
    const { scores, marks, touched } = scratch
    const unmarkExcluded = markExcluded(segment, this.#excluded, false, marks)
    const seen = this.#match(segment, scratch)
    let found = 0
    for (let i = 0; i < seen; i++) {
      const document = touched[i]!
      if (marks[document] === this.#words.length && !segment.dead[document]) {
        found++
        best.add(score(scores[document]!, lengths[document]!), seqs[document]!, rows[document]!)
      }
      scores[document] = 0
      marks[document] = 0
    }
    unmarkExcluded()
    return found
  }

  /** Marks each document with how many of the words it has, and what they cost; returns how many have the first. */
  #match(segment: Segment, { scores, marks, touched }: Scratch): number {
    let seen = 0
    for (const [matched, word] of this.#words.entries()) {
      let hits = 0
      for (const { entry, cost } of this.#levels(segment, word)) {
        const { documents, count } = postingsOf(segment, entry)
        for (let i = 0; i < count; i++) {
          const document = documents[i]!
          if (marks[document] !== matched) continue
          if (matched === 0) touched[seen++] = document
          marks[document] = matched + 1
          scores[document]! += cost
          hits++
        }
      }
      if (hits === 0) break
    }
    return seen
  }

  /** The terms that a word may be, so that a document's first one is its cheapest. */
  #levels(segment: Segment, word: Sought): Level[] {
    const exact = segment.find(word.term)
    const levels: Level[] = exact ? [{ entry: exact, cost: 0 }] : []
    if (word.isLast) for (const entry of beginningWith(segment, word)) levels.push({ entry, cost: begins })
    return word.similarity ? [...levels, ...similarTo(segment, word, word.similarity)] : levels
  }
}

/** What was similar to the words asked for last, for each segment: while somebody types, the first words stay the same. */
const lately = new WeakMap<Segment, LruCache<Level[]>>()

/** Words for which a segment's similar ones are kept, and how many of these at the most. */
const [kept, longest] = [32, 2048]

function similarTo(segment: Segment, { characters, isLast }: Sought, similarity: Similarity): Level[] {
  const recent = lately.get(segment) ?? new LruCache<Level[]>(kept)
  lately.set(segment, recent)
  const key = `${isLast ? 'begins' : 'is'} ${characters}`
  const known = recent.get(key)
  if (known) return known
  const similar: Level[] = []
  similarity.find(segment.terms, afterBeginnings, ({ entry, errors, isWhole }) => {
    if (errors > 0) similar.push({ entry, cost: error * errors + (isWhole ? 0 : begins) })
  })
  similar.sort((a, b) => a.cost - b.cost)
  if (similar.length <= longest) recent.set(key, similar)
  return similar
}

function* beginningWith(segment: Segment, { term, characters }: { term: Uint8Array; characters: string }) {
  if (isListed(characters)) {
    const entry = segment.find(toBytes(beginning + characters))
    if (entry) yield entry
    return
  }
  const cursor = segment.terms.from(term)
  if (!cursor?.startsWith(term)) return
  do yield readEntry(cursor.value())
  while (cursor.next() && cursor.startsWith(term))
}
