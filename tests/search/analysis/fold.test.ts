// Tests that words which differ only in case, accents or Unicode form are folded to the same text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, normalize } from '#search/analysis/fold'

/** Returns spellings of a text that a reader takes for the same text. */
const spellings = (text: string) => [
  ...[text.toUpperCase(), text.toLowerCase(), fold(text)],
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form)),
]

const dependsOnSpelling = (text: string) => {
  const folded = fold(text)
  return spellings(text).some((spelling) => fold(spelling) !== folded)
}

describe('folding', () => {
  it('does not depend on case, nor on how a text is composed', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !dependsOnSpelling(text)))
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => !dependsOnSpelling(text)))
  })

  it('holds for every Unicode character', () => {
    expect(characters().filter(dependsOnSpelling)).toEqual([])
  })

  it('holds for every combining mark on letters of the scripts that lose marks', () => {
    const marked = characters()
      .filter((character) => /\p{M}/u.test(character))
      .flatMap((mark) => ['a', 'ω', 'е', 'и', 'א', 'ا', 'か'].map((letter) => letter + mark))
    expect(marked.filter(dependsOnSpelling)).toEqual([])
  })

  it('does not change lone surrogates and NUL', () => {
    expect(fold('\ud800A\0\udc00')).toBe('\ud800a\0\udc00')
  })

  it.each([
    ...(['Straße strasse', 'STRASSE strasse', 'Müller muller', 'ÅNGSTRÖM angstrom', 'Øre ore', 'Łódź lodz'] as const),
    ...([
      'Đorđe dorde',
      'Ægir aegir',
      'Œuvre oeuvre',
      'ﬁn fin',
      'Ａｂ１ ab1',
      'don’t dont',
      'col·lecció colleccio',
    ] as const),
    ...(['İstanbul istanbul', 'ISPARTA isparta', 'ısparta isparta', 'ΟΔΟΣ οδοσ', 'ὁδός οδοσ'] as const),
    ...(['Ёлка елка', 'ЙОД йод', 'за́мок замок', 'ЇЖАК їжак', 'ЌЕ ќе'] as const),
    ...(['Қазақ қазақ', 'ӘЛЕМ әлем', 'Ғылым ғылым', 'Үйің үйің', 'Өнер өнер', 'Һәм һәм'] as const),
    ...(['מוּזִיקָה מוזיקה', 'مُحَمَّد محمد', 'آب اب', 'کتاب كتاب', 'می‌روم ميروم', 'ｶﾞｷﾞ ガギ', 'so\u00adft soft'] as const),
  ])('writes %s', (pair) => {
    const [written = '', folded] = pair.split(' ')
    expect(fold(written)).toBe(folded)
  })
})

describe('a word for stemmers', () => {
  it('keeps its accents, composed and in lower case', () => {
    expect(normalize('MU\u0308LLER')).toBe('müller')
    expect(normalize('ΟΔΌΣ')).toBe('οδόσ')
  })

  it('keeps a dotless i in Turkish alone', () => {
    expect(normalize('ISPARTA', true)).toBe('ısparta')
    expect(normalize('İZMİR', true)).toBe('izmir')
    expect(normalize('I\u0307ZMİR', true)).toBe('izmir')
    expect(normalize('ISPARTA')).toBe('isparta')
  })

  it('does not depend on case, nor on how it is composed', () => {
    const word = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(word, (text) => {
        const ways = [text.toUpperCase(), text.normalize('NFD'), text.normalize('NFKC'), normalize(text)]
        expect(new Set(ways.map((way) => normalize(way)))).toEqual(new Set([normalize(text)]))
      }),
    )
  })
})

/** Returns all assigned characters. Those for private use are left out, since they have neither case nor spellings. */
const characters = () =>
  Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => !/[\p{Cn}\p{Co}]/u.test(character))
