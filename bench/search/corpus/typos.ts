// Makes typing errors for the queries of the search benchmark.
import type { Random } from '../../../scripts/lib/random.ts'

/**
 * A word with this number of typing errors, each at another letter and none at the first. Letters are replaced and
 * inserted, and at most one is deleted.
 */
export function misspell(random: Random, word: string, errors: number): string {
  const places = new Set<number>()
  while (places.size < errors) places.add(random.between(1, word.length - 1))
  const letters = [...word]
  for (const [n, place] of [...places].entries()) letters[place] = mistaken(random, letters[place]!, n === 0)
  return letters.join('')
}

function mistaken(random: Random, letter: string, mayBeLeftOut: boolean): string {
  const other = String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + random.between(1, 25)) % 26))
  return random.oneOf([
    ['', mayBeLeftOut ? 1 : 0],
    [other + letter, 1],
    [other, 1],
  ])
}
