// Tests the encoding of large signed data as base64 in pieces.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeBase64, joinBase64, streamBase64 } from '#signature/base64-stream'
import { fillSignature } from '#signature/json-stream'

const bytes = fc.uint8Array({ maxLength: 40 })

async function* streamOf(chunks: Uint8Array[]) {
  yield* chunks
}

it('streams in any chunks give the base64 of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes), async (chunks) => {
      const all = Buffer.concat(chunks)
      expect(await joinBase64(streamBase64(streamOf(chunks)))).toBe(all.toString('base64'))
    }),
  )
})

it('bytes in pieces give the base64 of the whole', async () => {
  for (const size of [0, 1, 299_999, 300_000, 300_001, 900_002]) {
    const input = new Uint8Array(size).map((_, i) => i * 7)
    expect(await joinBase64(encodeBase64(input))).toBe(input.toBase64())
  }
})

it('the signature is inserted into any object', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.jsonValue(), bytes, async (document, other, input) => {
      const rest = { document: `${document}"signature":""`, nested: { other: JSON.stringify(other) } }
      const json = JSON.stringify({ ...rest, signature: '', after: '"signature":""' })
      const filled = await Array.fromAsync(fillSignature(json, input.toBase64()))
      expect(JSON.parse(filled.join(''))).toEqual({ ...rest, signature: input.toBase64(), after: '"signature":""' })
    }),
  )
})
