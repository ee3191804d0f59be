// Marks letters of a French word for its stemmer, and finds its regions.
import { regionAfter } from './regions.ts'

/**
 * Writes `u`, `i` and `y` as capitals where they are consonants, and `ë` and `ï` as `He` and `Hi`, so that rules about vowels do
 * not match them. `unmark` undoes this.
 */
export const markConsonants = (word: string) => {
  const letters = Array.from(word)
  for (const [at, letter] of letters.entries()) {
    const next = letters[at + 1] ?? ''
    if (isVowel(letters[at]) && (next === 'y' || (/[ui]/.test(next) && isVowel(letters[at + 2])))) {
      letters[at + 1] = next.toUpperCase()
    }
    if (letter === 'ë' || letter === 'ï') letters[at] = letter === 'ë' ? 'He' : 'Hi'
    else if (letters[at] === 'y' && isVowel(letters[at + 1])) letters[at] = 'Y'
    else if (letter === 'q' && next === 'u') letters[at + 1] = 'U'
  }
  return letters.join('')
}

/** Undoes `markConsonants` after stemming. */
export const unmark = (word: string) => word.replace(/H[ei]?|[IUY]/g, (mark) => written[mark] ?? '')

const written: Record<string, string> = { He: 'ë', Hi: 'ï', I: 'i', U: 'u', Y: 'y' }

const vowels = 'aeiouyâàëéêèïîôûù'

const isVowel = (letter: string | undefined) => letter !== undefined && vowels.includes(letter)

/** Returns the offsets of the regions: RV, in which endings of verbs are removed, R1 and R2. */
export const regionsOf = (word: string) => {
  const r1 = regionAfter(word, vowels)
  return { rv: beginning.exec(word)?.[0].length ?? word.length, r1, r2: regionAfter(word, vowels, r1) }
}

const beginning = /^([aeiouyâàëéêèïîôûù]{2}.|par|col|tap|ni[aeiouyâàëéêèïîôûù]|..*?[aeiouyâàëéêèïîôûù])/s
