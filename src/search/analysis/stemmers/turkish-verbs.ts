import { all, any, type BackwardCursor, type BackwardRule, maybe, open, remove } from './backward.ts'
import { suffixes } from './turkish-suffixes.ts'

/** Takes out what makes a verb of a noun; whether suffixes of nouns may be beneath. */
export const dropVerbSuffixes = (cursor: BackwardCursor): boolean => {
  let isNoun = true
  const plural: BackwardRule = (at) => {
    isNoun = !dropPlural(at)
    return !isNoun
  }
  all(open, any(tense, adverb, plural, conditional, dropPerson, dropCopula), remove)(cursor)
  return isNoun
}

const { ymUs, yDU, ysA, yken, cAsInA, sUnUz, lAr, yUm, sUn, yUz, DUr, nUz } = suffixes

const nothing: BackwardRule = () => true

const tense = any(ymUs, yDU, ysA, yken)

const adverb = all(cAsInA, any(sUnUz, lAr, yUm, sUn, yUz, nothing), ymUs)

const dropPlural = all(lAr, remove, maybe(open, any(DUr, yDU, ysA, ymUs)))

const conditional = all(nUz, any(yDU, ysA))

const dropPerson = all(any(sUnUz, yUz, sUn, yUm), remove, maybe(open, ymUs))

const dropCopula = all(DUr, remove, maybe(open, any(sUnUz, lAr, yUm, sUn, yUz, nothing), ymUs))
