// Tests the rules that a valid CMS signature must follow, such as those about signed attributes.
import { beforeAll, describe, expect, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { attribute, attributesOf, certificateOf, cmsOf, ids, type Parts } from '../../support/signed/cms.ts'
import { bits, context, type Der, der, integer, octets, oid, sequence, set } from '../../support/signed/der.ts'
import { ed25519, p256, type Signing } from '../../support/signed/signing.ts'

const content = new Uint8Array(new TextEncoder().encode('Ann owes Bob'))
const digestOf = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

let signing: Signing
let attributes: Der[]

beforeAll(async () => {
  signing = await p256()
  attributes = await attributesOf(content)
})

async function verified(parts: Partial<Parts>, given?: Uint8Array<ArrayBuffer>) {
  const bytes = await cmsOf({ content, attributes, ...signing, ...parts })
  const { result, signers } = await verifySignedData(bytes, 'cms', given)
  return { result, reason: signers[0]!.reason }
}

const validity = { result: 'valid', reason: null }

describe('signed attributes', () => {
  it('are valid with the type and the digest of the content', async () => {
    expect(await verified({})).toEqual(validity)
  })

  it('may be in any order', async () => {
    expect(await verified({ attributes: [attributes[1]!, attributes[0]!] })).toEqual(validity)
  })

  it('may be sent in another order than the signed one', async () => {
    const [type, digest] = attributes
    expect(await verified({ shownAttributes: context(0, digest!, type!) })).toEqual(validity)
  })

  it('may be sent in BER and signed in DER', async () => {
    const shownAttributes = new Uint8Array([0xa0, 0x80, ...attributes.flatMap((one) => [...one]), 0, 0])
    expect(await verified({ shownAttributes })).toEqual(validity)
  })

  it('must name the type of the content', async () => {
    const expected = {
      result: 'invalid',
      reason: 'The content type in the signed attributes is not that of the content',
    }
    const other = attribute(ids.contentType, oid('1.2.3'))
    expect(await verified({ attributes: [attributes[1]!] })).toEqual(expected)
    expect(await verified({ attributes: [other, attributes[1]!] })).toEqual(expected)
    expect(await verified({ attributes: [...attributes, attributes[0]!] })).toEqual(expected)
  })

  it('must name the used algorithms, if they name any', async () => {
    const nothing = der(0x05)
    const naming = (digest: Der[], ...signature: Der[]) =>
      attribute(ids.algorithmProtection, sequence(sequence(...digest), ...signature))
    const [sha256, ecdsa] = [oid(ids.sha256), oid(ids.ecdsaSha256)]
    const right = naming([sha256], context(1, ecdsa))
    for (const named of [right, naming([sha256, nothing], context(1, ecdsa, nothing))])
      expect(await verified({ attributes: [...attributes, named] })).toEqual(validity)
    const expected = { result: 'invalid', reason: 'The algorithms differ from those in the signed attributes' }
    for (const named of [
      ...[[naming([oid(ids.sha512)], context(1, ecdsa))], [naming([sha256], context(1, oid(ids.ed25519)))]],
      ...[[naming([sha256])], [naming([sha256], context(2, ecdsa))], [right, right]],
      ...[[attribute(ids.algorithmProtection, sequence())], [attribute(ids.algorithmProtection, octets(content))]],
    ])
      expect(await verified({ attributes: [...attributes, ...named] })).toEqual(expected)
  })

  it('must have one digest of the content', async () => {
    const none = { result: 'invalid', reason: 'The signed attributes must have exactly one message digest' }
    expect(await verified({ attributes: [attributes[0]!] })).toEqual(none)
    expect(await verified({ attributes: [...attributes, attributes[1]!] })).toEqual(none)
    const two = attribute(ids.messageDigest, octets(await digestOf(content)), octets(new Uint8Array(32)))
    expect(await verified({ attributes: [attributes[0]!, two] })).toEqual(none)
    expect(await verified({ attributes: await attributesOf(new Uint8Array(3)) })).toEqual({
      result: 'invalid',
      reason: 'The digest of the content does not match the signed digest',
    })
  })

  it('are required for content that is not plain data', async () => {
    const { attributes: _, ...bare } = { content, attributes, ...signing, contentType: '1.2.3' }
    expect((await verifySignedData(await cmsOf(bare), 'cms')).result).toBe('invalid')
  })

  it('may name the certificate, which must match', async () => {
    const own = certificateOf(signing.key)
    const named = async (certificate: Der) =>
      attribute(ids.signingCertificateV2, sequence(sequence(sequence(octets(await digestOf(certificate))))))
    expect(await verified({ attributes: [...attributes, await named(own)] })).toEqual(validity)
    const changed = certificateOf(signing.key, 'Bob')
    expect(await verified({ attributes: [...attributes, await named(changed)] })).toEqual({
      result: 'invalid',
      reason: 'The certificate differs from the one that the signer names',
    })
  })

  it('cannot be presented as content', async () => {
    const passedOff = await cmsOf({ ...signing, content: set(...attributes) })
    expect((await verifySignedData(passedOff, 'cms')).signers[0]).toMatchObject({
      result: 'invalid',
      reason: 'The content is the signed attributes of another signature',
    })
  })
})

describe('a signature', () => {
  it('of ECDSA has one valid encoding', async () => {
    const padded = async (data: Uint8Array<ArrayBuffer>) => {
      const signature = new Uint8Array(await signing.sign(data))
      return new Uint8Array([0x30, 0x81, signature[1]!, ...signature.subarray(2)])
    }
    expect((await verified({ sign: padded })).result).toBe('invalid')
    expect((await verified({ sign: async () => new Uint8Array() })).result).toBe('invalid')
    expect((await verified({ sign: async () => sequence(integer(0), integer(0)) })).result).toBe('invalid')
  })

  it('of Ed25519 is invalid if it is too short', async () => {
    const key = await ed25519()
    const parts = { ...key, signatureAlgorithm: ids.ed25519, digestAlgorithm: ids.sha512 }
    const sha512 = await attributesOf(content, 'SHA-512')
    expect(await verified({ ...parts, attributes: sha512 })).toEqual(validity)
    expect((await verified({ ...parts, attributes: sha512, sign: async () => new Uint8Array(5) })).result).toBe(
      'invalid',
    )
  })

  it('by a key of another type is invalid', async () => {
    expect(await verified({ signatureAlgorithm: ids.ed25519 })).toEqual({
      result: 'invalid',
      reason: 'The key is not a key for Ed25519',
    })
  })

  it('with embedded content is invalid for other content, and valid for the same', async () => {
    expect(await verified({}, content)).toEqual(validity)
    expect(await verified({}, new Uint8Array(12))).toEqual({
      result: 'invalid',
      reason: 'The given content differs from the content in the signed data',
    })
  })

  it('without the certificate of its signer is unsupported', async () => {
    const others = [[], [certificateOf(signing.key, 'Bob')], [certificateOf(signing.key, 'Ann', 8)]]
    for (const certificates of others) {
      const bytes = await cmsOf({ content, attributes, ...signing, certificates })
      expect((await verifySignedData(bytes, 'cms')).signers[0]).toMatchObject({
        result: 'unsupported',
        subject: null,
        issuer: 'CN=Ann',
        serial: '07',
      })
    }
  })

  it.each([
    ['with an exponent of more than 64 bits', rsaKey(256, [1, 0, 0, 0, 0, 0, 0, 0, 1])],
    ['with an even exponent', rsaKey(256, [1, 0, 0])],
    ['with the exponent 1', rsaKey(256, [1])],
    ['that is too large', rsaKey(2048, [1, 0, 1])],
    ['that is too small', rsaKey(64, [1, 0, 1])],
    ['that cannot be read', sequence(sequence(oid('1.2.840.113549.1.1.1')), bits(new Uint8Array(9)))],
    ['of an unknown kind', sequence(sequence(oid('1.2.3')), bits(new Uint8Array(9)))],
  ])('by an RSA key %s is unsupported', async (_, key) => {
    const { result } = await verified({ key, signatureAlgorithm: '1.2.840.113549.1.1.11' })
    expect(result).toBe('unsupported')
  })

  it('by a point that is not on its curve is invalid', async () => {
    const off = signing.key.slice()
    off[off.length - 1]! ^= 1
    expect((await verified({ key: off })).result).toBe('invalid')
  })
})

function rsaKey(size: number, exponent: number[]): Der {
  const modulus = new Uint8Array(size + 1).fill(0xff)
  modulus[0] = 0
  const numbers = sequence(der(0x02, modulus), der(0x02, new Uint8Array(exponent)))
  return sequence(sequence(oid('1.2.840.113549.1.1.1'), der(0x05)), bits(numbers))
}

describe('GOST of Kazakhstan', () => {
  const kinds = [
    ['1.2.398.3.10.1.1.1.2', '1.2.398.3.10.1.3.1', 'GOST 34.310-2004 with GOST 34.311-95'],
    ['1.2.398.3.10.1.1.2.3.1', '1.2.398.3.10.1.3.2', 'GOST R 34.10-2015 with GOST R 34.11-2015 (256)'],
    ['1.2.398.3.10.1.1.2.3.2', '1.2.398.3.10.1.3.3', 'GOST R 34.10-2015 with GOST R 34.11-2015 (512)'],
    ['1.2.398.3.10.1.1.9.9', '1.2.398.3.10.1.3.9', '1.2.398.3.10.1.1.9.9'],
  ] as const

  it.each(kinds)(
    'by %s has its signers read, and is neither valid nor invalid',
    async (signatureAlgorithm, digestAlgorithm, name) => {
      const key = sequence(
        sequence(oid('1.2.398.3.10.1.1.2.2'), oid('1.2.398.3.10.1.1.2.2.1')),
        bits(octets(new Uint8Array(128))),
      )
      const time = attribute(ids.signingTime, der(0x17, new TextEncoder().encode('261121120000Z')))
      const parts: Parts = {
        ...{ content, key, signatureAlgorithm, digestAlgorithm, subject: 'ИВАНОВ ИВАН' },
        attributes: [...attributes, time],
        sign: async () => crypto.getRandomValues(new Uint8Array(128)),
      }
      for (const form of [parts, { ...parts, isDetached: true as const }]) {
        const { bytes, signers } = await parseSignedData((await cmsOf(form)).toBase64())
        expect(signers).toMatchObject([
          { subject: 'CN=ИВАНОВ ИВАН', serial: '07', algorithm: name, signed_at: new Date('2026-11-21T12:00:00Z') },
        ])
        expect((await verifySignedData(bytes, 'cms')).result).toBe('unsupported')
      }
    },
  )
})
