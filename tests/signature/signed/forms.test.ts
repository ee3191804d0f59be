// Tests the accepted forms of the parameter `cms`: base64, PEM and XML text.
import { expect, inject, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { rawP256 } from '../../support/signed/signing.ts'
import { signatureOf, utf8 } from '../../support/signed/xml.ts'

const { kept } = inject('signed')
const base64 = kept['rsa-sha256']!
const der = Uint8Array.fromBase64(base64)
const lines = (text: string, end = '\n') => text.match(/.{1,64}/g)!.join(end)
const pem = (label: string, end = '\n') =>
  `-----BEGIN ${label}-----${end}${lines(base64, end)}${end}-----END ${label}-----${end}`

it.each([
  ['with line breaks', lines(base64)],
  ['with line breaks of Windows, and space around', `\r\n ${lines(base64, '\r\n')}\r\n\t`],
  ['without padding', base64.replace(/=+$/, '')],
])('decodes base64 %s', async (_, text) => {
  const { format, bytes, signers } = await parseSignedData(text)
  expect({ format, count: signers.length }).toEqual({ format: 'cms', count: 1 })
  expect(bytes).toEqual(der)
})

it.each([
  ['CMS', pem('CMS')],
  ['PKCS7, with line breaks of Windows', pem('PKCS7', '\r\n')],
  ['PKCS #7, with space around', `\n\n${pem('PKCS #7 SIGNED DATA')}\n`],
])('accepts PEM of %s, and stores it unchanged', async (_, text) => {
  const { format, bytes } = await parseSignedData(text)
  expect({ format, text: new TextDecoder().decode(bytes) }).toEqual({ format: 'cms', text })
  expect((await verifySignedData(bytes, format)).result).toBe('valid')
})

it('accepts base64 of PEM, and stores the PEM', async () => {
  const { bytes } = await parseSignedData(utf8(pem('CMS')).toBase64())
  expect(new TextDecoder().decode(bytes)).toBe(pem('CMS'))
})

it('accepts XML as text and as base64', async () => {
  const bytes = Uint8Array.fromBase64(kept['xml-rsa-sha256']!)
  for (const text of [new TextDecoder().decode(bytes), lines(bytes.toBase64())]) {
    expect(await parseSignedData(text)).toMatchObject({ format: 'xml', bytes })
  }
})

const order = '<order Id="a">Ж5</order>'

it.each([
  ['UTF-8 with a mark', (xml: string) => utf8(`\ufeff${xml}`)],
  ['UTF-16', (xml: string) => utf16(`\ufeff${xml}`, true)],
  ['UTF-16 of the other order', (xml: string) => utf16(`\ufeff${xml}`, false)],
  [
    'the encoding that it declares',
    (xml: string) => windows1251(`<?xml version="1.0" encoding="windows-1251"?>${xml}`),
  ],
])('takes base64 of XML in %s', async (_, encode) => {
  const signature = await signatureOf(await rawP256(), [{ uri: '#a', canonical: order }])
  const { format, bytes } = await parseSignedData(encode(`<all>${order}${signature}</all>`).toBase64())
  expect((await verifySignedData(bytes, format)).result).toBe('valid')
})

function utf16(text: string, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(2 * text.length))
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), isLittleEndian)
  return new Uint8Array(view.buffer)
}

const windows1251 = (text: string) =>
  Uint8Array.from(text, (character) => (character === 'Ж' ? 0xc6 : character.charCodeAt(0)))
