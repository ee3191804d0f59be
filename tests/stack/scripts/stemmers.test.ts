// Compares the stemmers of the full-text search with the vocabularies of Snowball, if these are on the machine.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '#search/analysis/languages'

/**
 * Folder of Snowball's vocabularies, which are not part of the repository: a file for each language, with a word, a tab
 * and its stem per line.
 */
const folder = join(process.env.QUALITY_DATA ?? '../shared/data', 'snowball')

describe('a stemmer', () => {
  if (!existsSync(folder)) it.skip(`is checked where QUALITY_DATA has the vocabularies of Snowball: not in ${folder}`)

  it.skipIf(!existsSync(folder)).each([...languages])('stems 99 %% of the vocabulary of %s', (name, { stem }) => {
    const pairs = readPairs(name)
    const mismatches = pairs.filter(([word, expected]) => stem(word) !== expected)
    const right = 100 * (1 - mismatches.length / pairs.length)
    const examples = mismatches.slice(0, 10).map(([word, expected]) => `${word}: ${stem(word)}, not ${expected}`)
    expect(right, `${name}: ${right.toFixed(2)} %: ${examples.join('; ')}`).toBeGreaterThanOrEqual(99)
  })
})

const readPairs = (language: string) =>
  readFileSync(join(folder, `${language}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [word: string, stem: string] => {
      const [word = '', stem = ''] = line.split('\t')
      return [word, stem]
    })
