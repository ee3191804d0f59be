// Tests the number of SMS segments of a text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSegments } from '#core/messages/segments'

const a = (n: number) => 'a'.repeat(n)
const я = (n: number) => 'я'.repeat(n)

describe('segments of the default alphabet', () => {
  it.each([
    ['nothing', '', 1],
    ['160 characters', a(160), 1],
    ['161 characters', a(161), 2],
    ['twice 153', a(306), 2],
    ['one more', a(307), 3],
    ['1600 characters', a(1_600), 11],
    ['all of the basic table', '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ÄÖÑÜ§¿äöñüà', 1],
    ['80 of the extension table, of two septets each', '€'.repeat(80), 1],
    ['81 of them', '€'.repeat(81), 2],
    ['each of the extension table', '\f^{}\\[~]|€'.repeat(8), 1],
    ['each of the extension table, and one more', `${'\f^{}\\[~]|€'.repeat(8)}a`, 2],
    ['a split that an extension character would be on', `${a(152)}€${a(152)}`, 3],
    ['the same one earlier', `${a(151)}€${a(153)}`, 2],
  ])('%s', (_, text, segments) => {
    expect(countSegments(text)).toBe(segments)
  })
})

describe('segments of UCS-2', () => {
  it.each([
    ['70 characters', я(70), 1],
    ['71 characters', я(71), 2],
    ['twice 67', я(134), 2],
    ['one more', я(135), 3],
    ['one character that the alphabet lacks', `${a(69)}ç`, 1],
    ['the same in a longer text', `${a(70)}ç`, 2],
    ['a backquote', `\`${a(70)}`, 2],
    ['35 surrogate pairs', '😀'.repeat(35), 1],
    ['36 surrogate pairs, 33 to a part', '😀'.repeat(36), 2],
    ['67 surrogate pairs: the last unit of a part stays empty', '😀'.repeat(67), 3],
    ['a split that a surrogate pair would be on', `${я(66)}😀${я(66)}`, 3],
    ['the same one earlier', `${я(65)}😀${я(67)}`, 2],
    ['a split that a family would be on', `${я(60)}👨‍👩‍👧${я(65)}`, 3],
    ['18 flags, 16 to a part', '🇰🇿'.repeat(18), 2],
    ['33 flags', '🇰🇿'.repeat(33), 3],
    ['a cluster that is longer than a part', `я${'\u0301'.repeat(133)}`, 2],
  ])('%s', (_, text, segments) => {
    expect(countSegments(text)).toBe(segments)
  })
})

describe('segments of any text', () => {
  const long = (unit: fc.Arbitrary<string>) =>
    fc.array(fc.string({ unit, maxLength: 200 }), { maxLength: 8 }).map((texts) => texts.join(''))
  const extended = '\f^{}\\[~]|€'
  const gsm = long(fc.constantFrom(...`aZ@é \n${extended}`))
  const ucs2 = long(fc.constantFrom(...'aя€\u{1F600}')).map((text) => `я${text}`)

  it('never decrease as the text grows', () => {
    fc.assert(
      fc.property(fc.oneof(gsm, ucs2), fc.oneof(gsm, ucs2), (text, more) => {
        expect(countSegments(text + more)).toBeGreaterThanOrEqual(countSegments(text))
      }),
    )
  })

  it.each([
    { alphabet: 'the default alphabet', texts: gsm, single: 160, part: 153 },
    { alphabet: 'UCS-2', texts: ucs2, single: 70, part: 67 },
  ])('of $alphabet leave at most one place empty in each', ({ texts, single, part }) => {
    fc.assert(
      fc.property(texts, (text) => {
        const escapes = texts === gsm ? [...text].filter((character) => extended.includes(character)).length : 0
        const places = text.length + escapes
        const segments = countSegments(text)
        const isSingle = places <= single
        expect(segments).toBeGreaterThanOrEqual(isSingle ? 1 : Math.ceil(places / part))
        expect(segments).toBeLessThanOrEqual(isSingle ? 1 : Math.ceil(places / (part - 1)))
      }),
    )
  })
})
