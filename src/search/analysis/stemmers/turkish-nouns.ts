// Rules that remove the suffixes of Turkish nouns: plural, possessive and case.
import { all, any, type BackwardRule, maybe, open, remove } from './backward.ts'
import { suffixes } from './turkish-suffixes.ts'

/** Removes the suffixes with which nouns are declined. */
export const dropNounSuffixes: BackwardRule = (cursor) => nouns(cursor)

const { possessives, sU, lArI, yU, nU, nUn, yA, nA, DA, ndA, DAn, ndAn, ylA, ki, ncA, lAr } = suffixes

/** Removes the suffix `-ki` and those before it. `-ki` may occur several times, so the rule refers to itself. */
const beforeKi: BackwardRule = (cursor) => chain(cursor)

const plural = all(open, lAr, remove, beforeKi)

const owner = all(any(possessives, sU), remove, maybe(plural))

const ownerAlone = all(sU, remove, maybe(plural))

const several = all(lArI, remove)

const manyBeforeKi = all(lAr, remove, maybe(beforeKi))

const chain = all(
  open,
  ki,
  any(
    all(DA, remove, maybe(open, any(manyBeforeKi, all(possessives, remove, maybe(plural))))),
    all(nUn, remove, maybe(open, any(several, all(open, owner), beforeKi))),
    all(ndA, any(several, ownerAlone, beforeKi)),
  ),
)

const nouns = any(
  all(open, manyBeforeKi),
  all(open, ncA, remove, maybe(any(all(open, several), all(open, owner), plural))),
  all(open, any(ndA, nA), any(several, ownerAlone, beforeKi)),
  all(open, any(ndAn, nU), any(ownerAlone, lArI)),
  all(open, DAn, remove, maybe(open, any(all(possessives, remove, maybe(plural)), manyBeforeKi, beforeKi))),
  all(open, any(nUn, ylA), remove, maybe(any(plural, all(open, owner), beforeKi))),
  all(open, several),
  beforeKi,
  all(
    open,
    any(DA, yU, yA),
    remove,
    maybe(open, any(all(possessives, remove, maybe(open, lAr)), lAr), remove, open, beforeKi),
  ),
  all(open, owner),
)
