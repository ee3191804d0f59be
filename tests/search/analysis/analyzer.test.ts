// Tests the words and terms that the analyzer finds in texts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyzerOf } from '#search/analysis/analyzer'
import { stemmerNames } from '#search/analysis/languages'
import type { Word } from '#search/analysis/types'

const plain = analyzerOf({ stemmer: 'none', stopwords: 'none' })
const stemmed = (language: string) => analyzerOf({ stemmer: language, stopwords: 'none' })

const terms = (text: string, language = 'none') =>
  stemmed(language)
    .queryTokens(text)
    .map(({ term }) => term)

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      ...Array.from("aslLéßIıя'’·\u00ad\u200d\u200b\u0301\u3099中国かｶﾞกขไทย한글🇩🇪👍🏽👩 \ud800\udc00\0"),
    ),
  }),
)

const language = fc.constantFrom(...stemmerNames)

const each = (of: string, analysis = plain) => {
  const words: Word[] = []
  analysis.forEachWord(of, (word) => words.push(word))
  return words
}

describe('the words of any text', () => {
  it('are at their offsets, in order', () => {
    fc.assert(
      fc.property(text, language, (given, name) => {
        let before = 0
        for (const { start, end } of stemmed(name).tokens(given)) {
          expect(start).toBeGreaterThanOrEqual(before)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(given.length)
          before = start
        }
      }),
    )
  })

  it('are those of the part of the text at their offsets', () => {
    fc.assert(
      fc.property(text, language, (given, name) => {
        const analysis = stemmed(name)
        for (const { start, end, term } of analysis.tokens(given)) {
          expect(analysis.queryTokens(given.slice(start, end)).map((place) => place.term)).toContain(term)
        }
      }),
    )
  })

  it('never begin or end within a character', () => {
    fc.assert(
      fc.property(text, language, (given, name) => {
        const ends = stemmed(name)
          .tokens(given)
          .flatMap(({ start, end }) => [start, end])
        expect(ends.filter((at) => isWithin(given, at))).toEqual([])
      }),
    )
  })

  it('are all found by a query equal to the text', () => {
    fc.assert(
      fc.property(text, language, (given, name) => {
        const analysis = stemmed(name)
        const known = new Set(each(given, analysis).map(({ term }) => term))
        expect(analysis.queryTokens(given).filter(({ term }) => !known.has(term))).toEqual([])
      }),
    )
  })

  it('are the same in forEachWord and in tokens', () => {
    fc.assert(
      fc.property(text, language, (given, name) => {
        const analysis = stemmed(name)
        const places = analysis.tokens(given).map(({ term, word, isStopword }) => ({ term, word, isStopword }))
        expect(each(given, analysis)).toEqual(places)
      }),
    )
  })

  it('have terms of 1 to 64 units, without split characters', () => {
    fc.assert(
      fc.property(text, language, fc.nat(40), (given, name, times) => {
        for (const { term, word } of stemmed(name).tokens(given.repeat(times + 1))) {
          for (const one of [term, word]) {
            expect(one.length).toBeGreaterThan(0)
            expect(one.length).toBeLessThanOrEqual(64)
            expect(one.isWellFormed()).toBe(true)
          }
        }
      }),
    )
  })

  it('are the same objects each time', () => {
    const [first, second, third] = each('Running running Running', stemmed('english'))
    expect(third).toBe(first)
    expect(second).not.toBe(first)
    expect(second).toEqual(first)
  })

  it('are equal after they were evicted from the cache', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => `word${i}`).join(' ')
    const analysis = stemmed('english')
    expect(each(many, analysis)).toEqual(each(many, analysis))
    expect(analysis.queryTokens('word7 word49999').map(({ term }) => term)).toEqual(['word7', 'word49999'])
  })
})

describe('a megabyte', () => {
  const size = 1 << 20
  const filledWith = (part: string) => part.repeat(Math.ceil(size / part.length))

  it.each([
    ['a word of a million letters', filledWith('a'), 1],
    ['a million marks', filledWith('\u0301'), 0],
    ['a letter with a million marks', `a${filledWith('\u0301')}`, 1],
    ['apostrophes', filledWith("'"), 0],
    ['letters with apostrophes between', filledWith("l'"), 1],
    ['soft hyphens', `a${filledWith('\u00ad')}`, 1],
    ['joiners between emoji', filledWith('👩\u200d'), 1],
    ['lone surrogates', filledWith('\ud800'), 0],
    ['NUL', filledWith('\0'), 0],
    ['one Chinese character', filledWith('中'), size],
    ['Thai without a space', filledWith('ก'), undefined],
  ])('of %s is tokenized in time', (_, given, count) => {
    let words = 0
    for (const language of ['none', 'english', 'french']) {
      words = 0
      stemmed(language).forEachWord(given, () => words++)
    }
    expect(words).toBe(count ?? words)
    expect(words).toBeLessThanOrEqual(size)
  })
})

describe('a word', () => {
  it.each([
    ['english', "The runners' dogs aren't running: John’s is", ['the', 'runner', 'dog', 'arent', 'run', 'john', 'is']],
    ['russian', 'Ёлки, бегущая йога', ['елк', 'бегущ', 'йог']],
    ['turkish', "KAPILAR İstanbul'da ışıkları", ['kapi', 'istanbul', 'isik']],
    ['german', 'Häuser Straße STRASSE Müller Mueller', ['haus', 'strass', 'strass', 'mull', 'mull']],
    ['french', "L’homme d'aujourd'hui qu'elle", ['homm', 'aujourdhui', 'elle']],
    ['italian', "dell'amico un'altra", ['amic', 'altra']],
    [
      'none',
      "O'Brien ＦＵＬＬ ﬁne m² 3,14 foo_bar so\u00adft",
      ['o', 'brien', 'full', 'fine', 'm2', '3', '14', 'foo', 'bar', 'soft'],
    ],
    ['polish', 'książkami książka', ['ksiazk', 'ksiazk']],
    ['persian', 'می‌نویسم كتاب‌ها', ['نويس', 'كتاب']],
    ['none', 'Қазақстан әлемі', ['қазақстан', 'әлемі']],
    ['none', 'می‌خواهم كِتاب', ['ميخواهم', 'كتاب']],
    ['none', "п'ять צה״ל col·lecció", ['пять', 'צהל', 'colleccio']],
    ['none', '한국어 문서', ['한국어', '문서']],
    ['none', 'ภาษาไทยง่าย', ['ภาษา', 'ไทย', 'ง่าย']],
    ['none', 'I ❤️ 👍🏽👨‍👩‍👧 🇩🇪🇫🇷 ok', ['i', '❤', '👍', '👨👩👧', '🇩🇪', '🇫🇷', 'ok']],
    ['none', 'zero\u200bwidth no\ufeffspace', ['zero', 'width', 'nospace']],
    ['none', "' '' ’ … \u0301 \u00ad \0", []],
    ['english', 'a\0b \ud800c', ['a', 'b', 'c']],
    ['english', 's', ['s']],
    ['english', "the s's", ['the', 's']],
  ])('is tokenized in %s: %j', (language, given, found) => {
    expect(terms(given, language)).toEqual(found)
  })

  it('has no elision and no possessive', () => {
    const [home] = stemmed('french').tokens('l’homme')
    expect(home).toMatchObject({ start: 2, end: 7, word: 'homme' })
    expect(stemmed('english').tokens('John’s')[0]).toMatchObject({ start: 0, end: 4, word: 'john' })
    expect(stemmed('english').queryTokens('s')).toMatchObject([{ start: 0, end: 1, word: 's' }])
  })

  it('keeps its unstemmed form for prefix queries', () => {
    expect(stemmed('english').queryTokens('Running')).toEqual([
      { term: 'run', word: 'running', isStopword: false, start: 0, end: 7 },
    ])
  })

  it('is found with and without its special letters', () => {
    for (const [language, one, other] of [
      ['german', 'Straße', 'strasse'],
      ['german', 'Müller', 'Muller'],
      ['german', 'Müller', 'Mueller'],
      ['french', 'élève', 'eleve'],
      ['russian', 'самолёт', 'САМОЛЕТ'],
      ['greek', 'ΟΔΟΣ', 'οδός'],
    ] as const) {
      expect(terms(one, language)).toEqual(terms(other, language))
    }
  })
})

describe('Chinese and Japanese', () => {
  const found = (given: string) => ({
    document: plain.tokens(given).map(({ start, end }) => given.slice(start, end)),
    query: plain.queryTokens(given).map(({ start, end }) => given.slice(start, end)),
  })

  it('give pairs of characters, in documents also the last character', () => {
    expect(found('北京大学')).toEqual({
      document: ['北京', '京大', '大学', '学'],
      query: ['北京', '京大', '大学'],
    })
    expect(found('東京タワーへ').query).toEqual(['東京', '京タ', 'タワ', 'ワー', 'ーへ'])
  })

  it('give a single character if it is alone', () => {
    expect(found('人 a人')).toEqual({ document: ['人', 'a', '人'], query: ['人', 'a', '人'] })
  })

  it('are separated by words of other scripts', () => {
    expect(found('2024年iPhone手机').query).toEqual(['2024', '年', 'iPhone', '手机'])
  })

  it('keep marks and rare characters whole', () => {
    expect(found('か\u3099𠮷ｶﾞ').query).toEqual(['か\u3099𠮷', '𠮷ｶﾞ'])
    expect(terms('ｶﾞｷ')).toEqual(['ガキ'])
  })
})

/** Whether an offset is between the two halves of a surrogate pair. */
const isWithin = (given: string, at: number) =>
  /[\ud800-\udbff]/.test(given.charAt(at - 1)) && /[\udc00-\udfff]/.test(given.charAt(at))
