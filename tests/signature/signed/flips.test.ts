// Flips single bits of signed data, and checks that no changed signature is valid.
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { Failure } from '#core/failure'
import { elementsOf, readBer } from '#signature/signed/asn1/ber'
import { readSignedData } from '#signature/signed/cms/signed-data'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { content } from '../../support/signed/keys.ts'

const { kept } = inject('signed')

const runs = 60

interface Range {
  from: number
  to: number
}

/** Flips random bits in ranges, one at a time, and expects that the signature is never valid. */
async function expectNoneValid(
  bytes: Uint8Array<ArrayBuffer>,
  ranges: Range[],
  verify: (flipped: Uint8Array<ArrayBuffer>) => Promise<string>,
) {
  expect(await verify(bytes)).toBe('valid')
  const places = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))
  expect(places.length).toBeGreaterThan(0)
  const flip = fc.tuple(fc.constantFrom(...places), fc.nat(7))
  const property = fc.asyncProperty(flip, async ([place, bit]) => {
    const flipped = bytes.slice()
    flipped[place]! ^= 1 << bit
    expect(await verify(flipped)).not.toBe('valid')
  })
  await fc.assert(property, { numRuns: runs })
}

async function resultOf(bytes: Uint8Array<ArrayBuffer>, format: 'cms' | 'xml', given?: Uint8Array<ArrayBuffer>) {
  try {
    return (await verifySignedData(bytes, format, given)).result
  } catch (error) {
    if (Failure.is(error) && error.status === 400) return 'refused'
    throw error
  }
}

const bytesOf = (name: string) => Uint8Array.fromBase64(kept[name]!)

const rangeOf = (part: Uint8Array): Range => ({ from: part.byteOffset, to: part.byteOffset + part.length })

describe('a flipped bit in CMS is detected in', () => {
  const attached = [
    ...['rsa-sha1', 'rsa-sha256', 'rsa-sha512', 'rsa-noattr', 'rsa-cades', 'rsa-keyid', 'rsa-other-type'],
    ...['pss-sha256', 'pss-noattr', 'p256-sha256', 'p384-sha384', 'p521-sha512', 'bc-ed25519', 'bc-ed25519-noattr'],
  ]

  it.each(attached)('the content, the signed attributes and the signature of %s', async (name) => {
    const bytes = bytesOf(name)
    const data = readSignedData(bytes)
    const [signer] = data.signers
    const parts = [
      data.content!,
      signer!.signature,
      ...(signer!.signedAttributes ? [signer!.signedAttributes.raw] : []),
    ]
    await expectNoneValid(bytes, parts.map(rangeOf), (flipped) => resultOf(flipped, 'cms'))
  })

  it.each(['rsa-detached', 'rsa-detached-noattr', 'p256-noattr-detached'])(
    'the detached content of %s',
    async (name) => {
      const text = new Uint8Array(new TextEncoder().encode(content))
      const bytes = bytesOf(name)
      await expectNoneValid(text, [{ from: 0, to: text.length }], (flipped) => resultOf(bytes, 'cms', flipped))
    },
  )

  it.each(['rsa-ber', 'bc-stream'])('the pieces of the content of %s', async (name) => {
    const bytes = bytesOf(name)
    const pieces = piecesOf(bytes)
    await expectNoneValid(bytes, pieces.map(rangeOf), (flipped) => resultOf(flipped, 'cms'))
  })

  it('the certificate that CAdES names', async () => {
    const bytes = bytesOf('rsa-cades')
    const { certificates } = readSignedData(bytes)
    await expectNoneValid(bytes, [rangeOf(certificates[0]!.raw)], (flipped) => resultOf(flipped, 'cms'))
  })

  it('a counter-signature', async () => {
    const bytes = bytesOf('bc-countersigned')
    const unsigned = readSignedData(bytes)
      .signers.map(({ unsignedAttributes }) => unsignedAttributes)
      .find(Boolean)
    const [, values] = elementsOf(elementsOf(unsigned!)[0]!)
    const [counter] = elementsOf(values!)
    const parts = elementsOf(counter!)
    const signature = parts.find(({ tag }) => tag === 0x04)
    const attributes = parts.find(({ tag }) => tag === 0x80)
    const ranges = [rangeOf(signature!.content), rangeOf(attributes!.raw)]
    await expectNoneValid(bytes, ranges, (flipped) => resultOf(flipped, 'cms'))
  })
})

/** Returns the primitive octet strings of which the content consists. */
function piecesOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array[] {
  const [, wrapped] = elementsOf(readBer(bytes))
  const [, , encapsulated] = elementsOf(elementsOf(wrapped!)[0]!)
  const [, explicit] = elementsOf(encapsulated!)
  return elementsOf(elementsOf(explicit!)[0]!).map((piece) => piece.content)
}

describe('a flipped bit in XML is detected', () => {
  it('anywhere in a document that is signed with its comments, except in KeyInfo', async () => {
    const bytes = bytesOf('xml-document-with-comments')
    const ranges = [
      between(bytes, '<?style', '<Signature'),
      between(bytes, '<SignedInfo', '</SignedInfo>'),
      between(bytes, '<SignatureValue', '</SignatureValue>'),
      between(bytes, '</Signature>', 'one?>'),
    ]
    // A literal tab in an attribute counts as a space. One flipped bit turns it into a line break, which counts as a space too, so
    // that this flip is left out.
    const tab = bytes.indexOf(0x09)
    const around = ranges.flatMap(({ from, to }) =>
      tab > from && tab < to
        ? [
            { from, to: tab },
            { from: tab + 1, to },
          ]
        : [{ from, to }],
    )
    await expectNoneValid(bytes, around, (flipped) => resultOf(flipped, 'xml'))
  })

  it.each(['xml-rsa-sha256', 'xml-p256-sha256', 'xml-p384-sha384', 'xml-p521-sha512', 'jdk-pss', 'xml-rsa-sha1'])(
    'in the signed parts and the signature of %s',
    async (name) => {
      const bytes = bytesOf(name)
      const isJdk = name.startsWith('jdk')
      const ranges = isJdk
        ? [between(bytes, '<ds:SignedInfo', '</ds:SignedInfo>'), between(bytes, 'first', '</order>')]
        : [
            between(bytes, '<SignedInfo', '</SignedInfo>'),
            between(bytes, '<item', '</item>', '<!-- in'),
            between(bytes, '<SignatureValue', '</SignatureValue>'),
          ]
      await expectNoneValid(bytes, ranges, (flipped) => resultOf(flipped, 'xml'))
    },
  )

  it('in an enveloped object', async () => {
    const bytes = bytesOf('xml-enveloping')
    await expectNoneValid(bytes, [between(bytes, '<Object', '</Object>')], (flipped) => resultOf(flipped, 'xml'))
  })
})

/** Returns the range of the bytes from the text `start` to the text `end`; the range ends before `stop`. */
function between(bytes: Uint8Array, start: string, end: string, stop = end): Range {
  const text = new TextDecoder('latin1').decode(bytes)
  const from = text.indexOf(start)
  return { from, to: Math.min(text.indexOf(end, from), text.indexOf(stop, from)) }
}

describe('any changed byte', () => {
  const edit = fc.record({ place: fc.nat(10_000), remove: fc.nat(3), insert: fc.uint8Array({ maxLength: 4 }) })

  it('is verified or rejected, and never causes an internal error', async () => {
    const name = fc.constantFrom(...Object.keys(kept))
    const property = fc.asyncProperty(name, fc.array(edit, { minLength: 1, maxLength: 5 }), async (name, edits) => {
      const bytes = edits.reduce(edited, bytesOf(name))
      for (const format of ['cms', 'xml'] as const) await resultOf(bytes, format, new Uint8Array(3))
      await parseSignedData(bytes.toBase64()).catch((error: unknown) => expect(Failure.is(error)).toBe(true))
    })
    await fc.assert(property, { numRuns: 500 })
  })

  function edited(
    bytes: Uint8Array<ArrayBuffer>,
    { place, remove, insert }: { place: number; remove: number; insert: Uint8Array },
  ) {
    const at = place % bytes.length
    return new Uint8Array([...bytes.subarray(0, at), ...insert, ...bytes.subarray(at + remove)])
  }
})
