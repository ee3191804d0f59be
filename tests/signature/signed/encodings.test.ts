// Tests the decoding of XML in other encodings than UTF-8.
import { beforeAll, describe, expect, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { rawP256, type Signing } from '../../support/signed/signing.ts'
import { signatureOf, utf8 } from '../../support/signed/xml.ts'

let signing: Signing

beforeAll(async () => {
  signing = await rawP256()
})

const text = 'Café, 5 € — «Ж»'
const order = async (declaration: string, item = `<item Id="a">${text}</item>`) =>
  `${declaration}<order>${item}${await signatureOf(signing, [{ uri: '#a', canonical: item }])}</order>`
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n`

const resultOf = async (bytes: Uint8Array<ArrayBuffer>) => (await verifySignedData(bytes, 'xml')).result

const bytesOf = (xml: string, codes: Record<string, number>) =>
  Uint8Array.from(xml, (character) => codes[character] ?? character.charCodeAt(0))

const utf16 = (xml: string, isLittle: boolean) => {
  const bytes = new Uint8Array(2 + 2 * xml.length)
  const view = new DataView(bytes.buffer)
  for (const [i, unit] of ['\ufeff', ...xml.split('')].entries()) view.setUint16(2 * i, unit.charCodeAt(0), isLittle)
  return bytes
}

describe('XML is decoded by its declaration', () => {
  it.each([
    ['none', ''],
    ['UTF-8', declared('UTF-8')],
    ['utf-8 in single quotes', "<?xml version='1.0' encoding='utf-8'?>"],
    ['none, after a byte order mark', '\ufeff'],
    ['UTF-8, after a byte order mark', `\ufeff${declared('UTF-8')}`],
  ])('%s', async (_, declaration) => {
    expect(await resultOf(utf8(await order(declaration)))).toBe('valid')
  })

  it.each([
    ['windows-1251', { Ж: 0xc6, '€': 0x88, '—': 0x97 }],
    ['WINDOWS-1252', { é: 0xe9, '€': 0x80, '—': 0x97 }],
    ['ISO-8859-1', { é: 0xe9 }],
    ['ISO-8859-15', { é: 0xe9, '€': 0xa4 }],
  ] as const)('%s', async (encoding, codes) => {
    const item = `<item Id="a">${Object.keys(codes).join(' ')}</item>`
    expect(await resultOf(bytesOf(await order(declared(encoding), item), codes))).toBe('valid')
  })

  it.each([true, false])('UTF-16 by its byte order mark; little-endian: %s', async (isLittle) => {
    for (const declaration of ['', declared('UTF-16'), declared(isLittle ? 'utf-16le' : 'UTF-16BE')])
      expect(await resultOf(utf16(await order(declaration), isLittle))).toBe('valid')
  })
})

describe('XML is rejected if its bytes contradict its declaration', () => {
  const latin1 = (xml: string) => bytesOf(xml, {})
  it.each([
    ['ISO-8859-1', (xml: string) => utf8(xml)],
    ['UTF-7', utf8],
    ['UTF-16', utf8],
    ['UTF-32', utf8],
    ['US-ASCII', utf8],
    ['x-user-defined', utf8],
    ['nothing-known', utf8],
    ['UTF-8', latin1],
    ['UTF-16LE', (xml: string) => utf16(xml, false)],
    ['UTF-8', (xml: string) => utf16(xml, true)],
    ['windows-1251', (xml: string) => utf8(`\ufeff${xml}`)],
  ])('%s', async (encoding, write) => {
    const bytes = write(await order(declared(encoding)))
    const refused = { errors: { cms: expect.stringMatching(/encoding/) } }
    await expect(verifySignedData(bytes, 'xml')).rejects.toMatchObject(refused)
    await expect(parseSignedData(bytes.toBase64())).rejects.toMatchObject(refused)
  })

  it('windows-1251 of UTF-8 text, which would be read as other words', async () => {
    const bytes = utf8(await order(declared('UTF-8')))
    expect(await resultOf(bytes)).toBe('valid')
    const forged = utf8(new TextDecoder().decode(bytes).replace('UTF-8', 'windows-1251'))
    const result = await verifySignedData(forged, 'xml').then(
      ({ result }) => result,
      () => 'refused',
    )
    expect(result).not.toBe('valid')
  })

  it('a declaration that follows a kilobyte of white space', async () => {
    const late = `<?xml version="1.0"${' '.repeat(2_000)}encoding="ISO-8859-1"?>`
    await expect(verifySignedData(utf8(await order(late)), 'xml')).rejects.toMatchObject({
      errors: { cms: expect.any(String) },
    })
  })
})
