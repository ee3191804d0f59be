import { adjectives, type EndingAction, nouns, verbs } from './basque-endings.ts'
import { replace, type SuffixEnding } from './endings.ts'
import { regionAfter, verbRegion } from './regions.ts'

/** Stems a Basque word, by the algorithm of Snowball: https://snowballstem.org/algorithms/basque/stemmer.html */
export const basque = (word: string): string => {
  const r1 = regionAfter(word, vowels)
  const regions = { rv: verbRegion(word, vowels), r1, r2: regionAfter(word, vowels, r1) }
  const bare = dropAll(verbs, { head: word, tail: '' }, regions)
  const noun = dropAll(nouns, bare, regions)
  const { head, tail } = drop(adjectives, noun, regions) ?? noun
  return head + tail
}

const vowels = 'aeiou'

type Regions = Record<'rv' | 'r1' | 'r2', number>

/** A word during stemming: further endings are removed from `head`, while `tail` no longer changes. */
interface Parts {
  head: string
  tail: string
}

type Find = (word: string) => SuffixEnding<EndingAction> | undefined

const drop = (find: Find, { head, tail }: Parts, regions: Regions): Parts | undefined => {
  const ending = find(head)
  if (!ending) return undefined
  const { suffix, action } = ending
  const stem = replace(head, suffix)
  if (action.kept !== undefined) return { head: stem, tail: action.kept + tail }
  return stem.length >= regions[action.region] ? { head: stem, tail } : undefined
}

const dropAll = (find: Find, parts: Parts, regions: Regions): Parts => {
  const shorter = drop(find, parts, regions)
  return shorter ? dropAll(find, shorter, regions) : parts
}
