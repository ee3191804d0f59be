// Generates an endless vocabulary of English-like words for the search benchmark. The same rank always gives the same
// word.
import { english } from './english.ts'

/**
 * The word of a rank; rank 0 is the most frequent word. Rarer words tend to be longer. Some words have several ranks.
 */
export function wordOf(rank: number): string {
  const known = words.get(rank)
  if (known !== undefined) return known
  const word = english[rank] ?? formed(rank)
  words.set(rank, word)
  return word
}

const words = new Map<number, string>()

function formed(rank: number): string {
  const dice = diceOf(rank)
  const kind = dice.below(100)
  if (rank > 1_000 && kind < 6) return numberOf(dice)
  if (rank > 1_000 && kind < 18) return nameOf(dice, rank)
  if (kind < 55) return stemOf(rank)
  // Derives the word from a more frequent one, so that stemming has an effect.
  const lemma = english.length + dice.below(rank - english.length + 1)
  return inflected(stemOf(lemma), dice.one(endings))
}

const numberOf = ({ below }: Dice) =>
  below(3) === 0 ? String(1_900 + below(130)) : String(below(10 ** (2 + below(6))))

const nameOf = (dice: Dice, rank: number) => {
  const name = syllables(dice, rank) + dice.one(['', 'son', 'man', 'ton', 'ova', 'ini', 'berg', 'ez', 'er', 'ia'])
  return name[0]!.toUpperCase() + name.slice(1)
}

const stemOf = (rank: number) => syllables(diceOf(rank ^ 0x5bd1e995), rank)

function syllables(dice: Dice, rank: number): string {
  const longer = rank < 2_000 ? dice.below(2) : rank < 20_000 ? dice.below(3) : 1 + dice.below(3)
  let word = ''
  for (let syllable = 0; syllable <= longer; syllable++) word += dice.one(onsets) + dice.one(nuclei)
  return word + dice.one(codas)
}

const list = (text: string) => text.split(' ')
const onsets = list(
  's s s s c c c p p p b b b m m m d d d f f f t t t r r r h h h l l l w w g g n n v j k qu st tr pr ch br pl cr sh th gr fl cl sp dr bl sl fr str',
)
const nuclei = list('e e e e e a a a a i i i i o o o u u y ea ou io ai ee ie oo au')
const codas = list('t t t n n n r r d d l l s m c p b g k nt nd st ck ll ng rt ct x sh ss')
const endings = list(
  's s s s s ed ed ed ing ing ing er ers ly ly al ness ment ments able ation ations ity ive ize ized less ful ism ist ists',
)

function inflected(stem: string, ending: string): string {
  if (ending === 's' && /(s|x|sh|ch)$/.test(stem)) return `${stem}es`
  return stem + ending
}

interface Dice {
  /** A random integer from 0 to below the bound. */
  below(bound: number): number
  one(of: readonly string[]): string
}

/** A seeded random number generator (splitmix32). */
function diceOf(seed: number): Dice {
  let state = seed | 0
  const below = (bound: number) => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * bound)
  }
  return { below, one: (of) => of[below(of.length)]! }
}
