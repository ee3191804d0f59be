// Tests the parsing of queries: words, phrases, exclusions and prefixes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyzerOf } from '#search/analysis/analyzer'
import type { Variant } from '#search/engine/indexed-document'
import { parseQuery } from '#search/parse-query'

const english = analyzerOf({ stemmer: 'english', stopwords: 'english' })
const plain = analyzerOf({ stemmer: 'none', stopwords: 'none' })

const parse = (text: string, variant: Variant = 'fulltext') => {
  const { words, last, phrases, excluded } = parseQuery(text, variant === 'fulltext' ? english : plain, variant)
  return {
    words: words.map(({ term }) => term),
    last: last?.word,
    phrases: phrases.map((phrase) => phrase.map(({ term }) => term)),
    ...(excluded.length > 0 && { excluded: excluded.map((run) => run.map(({ term }) => term)) }),
  }
}

describe('words', () => {
  it('are stemmed, each once, without stop words', () => {
    expect(parse('The runners of running runs')).toMatchObject({ words: ['runner', 'run'], last: 'runs' })
  })

  it('are stop words if the query has no others', () => {
    expect(parse('to be or not')).toEqual({ words: ['to', 'be', 'or', 'not'], last: 'not', phrases: [] })
  })

  it('are all kept in typeahead', () => {
    expect(parse('the runners of', 'typeahead')).toEqual({ words: ['the', 'runners', 'of'], last: 'of', phrases: [] })
  })

  it('after the hundredth are ignored', () => {
    const many = Array.from({ length: 150 }, (_, i) => `w${i}`).join(' ')
    const { words, last } = parse(many, 'typeahead')
    expect([words.length, words.at(-1), last]).toEqual([100, 'w99', undefined])
  })

  it.each(['', ' ', '?!…', '"', '""', '« »', '- + * ( ) ~ ^ : \\ /'])('are none in %j', (text) => {
    expect(parse(text)).toEqual({ words: [], last: undefined, phrases: [] })
  })

  it.each(['NEAR(a b)', 'cat AND dog NOT (fish', 'title:cat*', 'cat^2', "o'clock -- ;"])(
    'are all there is in %j',
    (text) => {
      expect(parse(text).words.length).toBeGreaterThan(0)
    },
  )
})

describe('the last word', () => {
  it('is a prefix, unless it is an ignored stop word', () => {
    expect(parse('history of the').last).toBeUndefined()
    expect(parse('history of th').last).toBe('th')
  })

  it('is no prefix in typeahead if the same word occurs earlier', () => {
    expect(parse('new york new', 'typeahead')).toEqual({ words: ['new', 'york'], last: undefined, phrases: [] })
    expect(parse('new york new').last).toBe('new')
  })

  it('is no prefix if the query ends with a phrase', () => {
    expect(parse('a "running dog"').last).toBeUndefined()
    expect(parse('"running dog" barks').last).toBe('barks')
    expect(parse('"running dog').last).toBe('dog')
  })
})

describe('a phrase', () => {
  it.each(['"state of the art"', '“state of the art”', '„state of the art“', '«state of the art»'])(
    'stands in quotes, stop words included: %s',
    (text) => {
      const words = ['state', 'of', 'the', 'art']
      expect(parse(text)).toEqual({ words, last: undefined, phrases: [words] })
    },
  )

  it('has at least two words', () => {
    expect(parse('"cats" dogs')).toEqual({ words: ['cat', 'dog'], last: 'dogs', phrases: [] })
  })

  it('does not begin at an unpaired quotation mark', () => {
    expect(parse('cat" dog')).toMatchObject({ phrases: [] })
    expect(parse('«cat dog')).toMatchObject({ phrases: [] })
    expect(parse('6" pipe "red tape"')).toMatchObject({ phrases: [] })
  })

  it('is ignored in typeahead', () => {
    expect(parse('"state of"', 'typeahead')).toEqual({ words: ['state', 'of'], last: 'of', phrases: [] })
  })

  it('consists of pairs in Chinese', () => {
    expect(parse('"東京都"').phrases).toEqual([['東京', '京都']])
  })

  it('after the twentieth is ignored, except its words', () => {
    const many = Array.from({ length: 25 }, (_, i) => `"x${i} y${i}"`).join(' ')
    const { phrases, words, last } = parse(many)
    expect([phrases.length, words.length, last]).toEqual([20, 50, 'y24'])
  })

  it('is ignored if one of its words is', () => {
    const many = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')
    expect(parse(`${many} "one two"`).phrases).toEqual([])
  })

  it('is ignored if the phrases would have more than a hundred words', () => {
    const [some, more] = [50, 51].map((length) => `"${Array(length).fill('again').join(' ')}"`)
    expect(parse(`${some} ${some}`).phrases.map(({ length }) => length)).toEqual([50, 50])
    expect(parse(`${some} ${more}`).phrases.map(({ length }) => length)).toEqual([50])
  })
})

describe('an exclusion', () => {
  it.each([
    ['cats -dogs', { words: ['cat'], excluded: [['dog']] }],
    ['-dogs cats', { words: ['cat'], last: 'cats', excluded: [['dog']] }],
    ['cats -"red tapes"', { words: ['cat'], phrases: [], excluded: [['red', 'tape']] }],
    ['cats -«red tapes» -birds', { words: ['cat'], excluded: [['red', 'tape'], ['bird']] }],
    ['cats -wi-fi', { words: ['cat'], excluded: [['wi', 'fi']] }],
    ['cats -the', { words: ['cat'], excluded: [['the']] }],
    ['cats -東京都', { words: ['cat'], excluded: [['東京', '京都']] }],
    ['-dogs', { words: [], last: undefined, excluded: [['dog']] }],
  ])('is parsed in %j', (text, expected) => {
    expect(parse(text)).toMatchObject(expected)
  })

  it.each(['cat - dog', 'cat --dog', 'cat-dog', '"cat -dog"', 'cat ( -) dog', '2–3 cats', 'cat -'])(
    'does not stand in %j',
    (text) => {
      expect(parse(text)).not.toHaveProperty('excluded')
    },
  )

  it('ends the word before it', () => {
    expect(parse('cat -d', 'typeahead')).toMatchObject({ words: ['cat'], last: undefined, excluded: [['d']] })
  })

  it('after the twentieth, or after a hundred words together, is ignored', () => {
    const many = Array.from({ length: 25 }, (_, i) => `-x${i}`).join(' ')
    expect(parse(`cat ${many}`)).toMatchObject({ excluded: Array.from({ length: 20 }, (_, i) => [`x${i}`]) })
    expect(parse(`cat -"${'again '.repeat(101)}" -dog`)).toMatchObject({ excluded: [['dog']] })
  })
})

it('a parsed query keeps its limits for any text', () => {
  const piece = fc.oneof(
    fc.constantFrom('"', '“', '”', '«', '»', ' ', 'the', 'cats', '東京', '\u0000'),
    fc.string({ unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom<Variant>('fulltext', 'typeahead'), (pieces, variant) => {
      const { words, last, phrases } = parseQuery(pieces.join(''), english, variant)
      const terms = words.map(({ term }) => term)
      expect(new Set(terms).size).toBe(terms.length)
      expect(terms.length).toBeLessThanOrEqual(100)
      for (const { term } of [...phrases.flat(), ...(last ? [last] : [])]) expect(terms).toContain(term)
      for (const phrase of phrases) expect(phrase.length).toBeGreaterThan(1)
    }),
  )
})
