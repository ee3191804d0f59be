// Tests the rules that a valid XML signature must follow, and the reported parts.
import { beforeAll, describe, expect, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import type { XmlSignature } from '#signature/signed/xml/signature-elements'
import { readSignedXml } from '#signature/signed/xml/signed-xml'
import { applyTransforms } from '#signature/signed/xml/transforms'
import { certificateOf } from '../../support/signed/cms.ts'
import { ed25519, rawP256, type Signing } from '../../support/signed/signing.ts'
import { enveloped, exclusive, type Referred, signatureOf, utf8 } from '../../support/signed/xml.ts'

let signing: Signing

beforeAll(async () => {
  signing = await rawP256()
})

const verify = async (xml: string, content?: string) => {
  const { result, signers } = await verifySignedData(
    utf8(xml),
    'xml',
    content === undefined ? undefined : utf8(content),
  )
  return { result, signers: signers.map(({ result, reason, covers }) => ({ result, reason, covers })) }
}

const one = async (xml: string) => (await verify(xml)).signers[0]!

const item = '<item Id="a">5</item>'
const signed = (references: Referred[] = [{ uri: '#a', canonical: item }]) => signatureOf(signing, references)

describe('the reported parts are the verified ones:', () => {
  it('an element by its Id', async () => {
    expect(await one(`<order>${item}${await signed()}</order>`)).toEqual({
      result: 'valid',
      reason: null,
      covers: ['#a'],
    })
  })

  it('the document, if the element is its root', async () => {
    const signature = await signed([
      { uri: '#a', canonical: '<order Id="a">5</order>', transforms: [enveloped, exclusive] },
    ])
    expect(await one(`<order Id="a">5${signature}</order>`)).toMatchObject({ result: 'valid', covers: ['document'] })
  })

  it('not an element in the place of the signed one', async () => {
    const moved = `<order><item Id="b">1000</item>${await signed()}<moved>${item}</moved></order>`
    expect(await one(moved)).toMatchObject({ result: 'valid', covers: ['#a'] })
  })

  it.each(['Id', 'ID', 'id', 'xml:id'])(
    'neither of two elements that have the same identifier, the other in %s',
    async (name) => {
      const doubled = `<order><item ${name}="a">1000</item>${await signed()}${item}</order>`
      expect(await one(doubled)).toEqual({
        result: 'invalid',
        reason: 'A reference is to an Id that several elements have',
        covers: [],
      })
    },
  )

  it('nothing, if no element has the Id', async () => {
    expect(await one(`<order>${await signed()}</order>`)).toMatchObject({ result: 'invalid', covers: [] })
  })

  it('all of several references, which must all match', async () => {
    const both = await signed([
      { uri: '#a', canonical: item },
      { uri: '#b', canonical: '<note Id="b"></note>' },
    ])
    expect(await one(`<order>${item}<note Id="b"/>${both}</order>`)).toMatchObject({
      result: 'valid',
      covers: ['#a', '#b'],
    })
    expect((await one(`<order>${item}<note Id="b"> </note>${both}</order>`)).result).toBe('invalid')
  })

  it('several signatures, one of which is invalid', async () => {
    const bad = await signed([{ uri: '#a', canonical: '<item Id="a">6</item>' }])
    const { result, signers } = await verify(`<order>${item}${await signed()}${bad}</order>`)
    expect([result, ...signers.map((signer) => signer.result)]).toEqual(['invalid', 'valid', 'invalid'])
  })
})

describe('an unsupported reference', () => {
  it.each([
    ['XSLT', ['http://www.w3.org/TR/1999/REC-xslt-19991116']],
    ['XPath', ['http://www.w3.org/TR/1999/REC-xpath-19991116']],
    ['XPath filter 2', ['http://www.w3.org/2002/06/xmldsig-filter2']],
    ['an unknown transform', ['urn:unknown']],
  ])('%s', async (_, transforms) => {
    const signature = await signed([{ uri: '#a', canonical: item, transforms }])
    expect((await one(`<order>${item}${signature}</order>`)).result).toBe('unsupported')
  })

  it('has an unknown digest algorithm', async () => {
    const signature = await signed([{ uri: '#a', canonical: item, digest: 'urn:unknown' }])
    expect((await one(`<order>${item}${signature}</order>`)).result).toBe('unsupported')
  })

  it('is to base64 of an element with child elements, which no digest would cover', async () => {
    const transforms = ['http://www.w3.org/2000/09/xmldsig#base64']
    const signature = await signed([{ uri: '#a', canonical: 'Ann', transforms }])
    expect((await one(`<order><item Id="a">QW5u</item>${signature}</order>`)).result).toBe('valid')
    expect((await one(`<order><item Id="a">QW<b/>5u</item>${signature}</order>`)).result).toBe('unsupported')
  })

  it('exceeds the work budget', async () => {
    const content = 'Ann'.repeat(4_000_000)
    const outside = await signed(Array.from({ length: 10 }, () => ({ uri: 'a', canonical: content, transforms: [] })))
    expect(await verify(outside, content)).toMatchObject({ result: 'unsupported' })
  })

  it('counts once in the work budget', async () => {
    const content = 'Ann'.repeat(4_000_000)
    const outside = await signed(Array.from({ length: 8 }, () => ({ uri: 'a', canonical: content, transforms: [] })))
    expect(await verify(outside, content)).toMatchObject({ result: 'valid' })
  })

  it('costs little for base64 of a document, with any number of references', async () => {
    const reference = { uri: '', canonical: '', transforms: ['http://www.w3.org/2000/09/xmldsig#base64'] }
    const all = readSignedXml(utf8(`<order>QW5u${await signed([reference])}</order>`))
    const { root } = all.document
    const { children } = root
    let reads = 0
    Object.defineProperty(root, 'children', {
      get: () => {
        reads++
        return children
      },
    })
    const [{ element, references }] = all.signatures as [XmlSignature]
    const { bytes } = applyTransforms(
      references[0]!,
      { kind: 'document', document: all.document, withComments: false },
      element,
      all,
    )
    expect(bytes).toMatchObject({ result: 'unsupported' })
    expect(reads).toBe(0)
  })

  it('counts the text of an element whose base64 is signed', async () => {
    const transforms = ['http://www.w3.org/2000/09/xmldsig#base64']
    const text = 'QW5u'.repeat(2_500_000)
    const references = Array.from({ length: 12 }, () => ({ uri: '#a', canonical: 'Ann'.repeat(2_500_000), transforms }))
    const xml = `<order><item Id="a">${text}</item>${await signed(references)}</order>`
    expect(await one(xml)).toMatchObject({
      result: 'unsupported',
      reason: expect.stringContaining('more work than is allowed'),
    })
  })

  it('does not hide a mismatch', async () => {
    const signature = await signed([
      { uri: '#a', canonical: 'changed' },
      { uri: '#a', canonical: item, transforms: ['urn:unknown'] },
    ])
    expect((await one(`<order>${item}${signature}</order>`)).result).toBe('invalid')
  })

  it.each([
    'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:gostr34102015-gostr34112015-512',
    'http://www.w3.org/2001/04/xmldsig-more#gost34310-gost34311',
    'urn:ietf:params:xml:ns:cpxmlsec:algorithms:gostr34102012-gostr34112012-256',
  ])('%s, whose signers are read', async (method) => {
    const signature = await signatureOf(signing, [{ uri: '#a', canonical: item }], { method })
    const xml = `<order>${item}${signature}</order>`
    expect((await parseSignedData(xml)).signers).toMatchObject([
      { subject: 'CN=Ann', algorithm: expect.stringContaining('GOST') },
    ])
    expect((await one(xml)).result).toBe('unsupported')
  })
})

it('EdDSA is verified', async () => {
  const method = 'http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519'
  const signature = await signatureOf(await ed25519(), [{ uri: '#a', canonical: item }], { method })
  expect((await one(`<order>${item}${signature}</order>`)).result).toBe('valid')
  expect((await one(`<order>${item.replace('5', '6')}${signature}</order>`)).result).toBe('invalid')
})

describe('content', () => {
  it('is required by an external reference, and rejected otherwise', async () => {
    const outside = await signed([{ uri: 'order.txt', canonical: 'Ann', transforms: [] }])
    expect(await verify(outside, 'Ann')).toMatchObject({ result: 'valid', signers: [{ covers: ['content'] }] })
    expect(await verify(outside, 'Bob')).toMatchObject({ result: 'invalid' })
    await expect(verify(outside)).rejects.toMatchObject({ errors: { content: expect.any(String) } })
    await expect(verify(`<order>${item}${await signed()}</order>`, 'Ann')).rejects.toMatchObject({
      errors: { content: 'content must not be given: the XML signature has no external reference.' },
    })
  })

  it('is one resource', async () => {
    const two = await signed(['a.txt', 'b.txt'].map((uri) => ({ uri, canonical: 'Ann', transforms: [] })))
    expect((await verify(two, 'Ann')).result).toBe('unsupported')
  })
})

describe('XAdES', () => {
  const xades = 'http://uri.etsi.org/01903/v1.3.2#'

  async function xadesOf(certificate = certificateOf(signing.key), isReferredTo = true) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', certificate)).toBase64()
    const ds = 'xmlns="http://www.w3.org/2000/09/xmldsig#"'
    const named =
      `<x:SigningCertificateV2><x:Cert><x:CertDigest><DigestMethod ${ds} Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>` +
      `<DigestValue ${ds}>${digest}</DigestValue></x:CertDigest></x:Cert></x:SigningCertificateV2>`
    const properties =
      `<x:SignedProperties xmlns:x="${xades}" Id="p"><x:SignedSignatureProperties><x:SigningTime>2026-01-31T15:00:00+05:00` +
      `</x:SigningTime>${named}</x:SignedSignatureProperties></x:SignedProperties>`
    const references = [{ uri: '#a', canonical: item }, ...(isReferredTo ? [{ uri: '#p', canonical: properties }] : [])]
    const objects = `<Object><x:QualifyingProperties xmlns:x="${xades}">${properties}</x:QualifyingProperties></Object>`
    return `<order>${item}${await signatureOf(signing, references, { objects })}</order>`
  }

  it('has the signing time and the signing certificate', async () => {
    const xml = await xadesOf()
    expect((await parseSignedData(xml)).signers[0]!.signed_at).toEqual(new Date('2026-01-31T10:00:00Z'))
    expect(await one(xml)).toEqual({ result: 'valid', reason: null, covers: ['#a', '#p'] })
  })

  it('detects another certificate than the signer names', async () => {
    expect(await one(await xadesOf(certificateOf(signing.key, 'Bob')))).toMatchObject({
      result: 'invalid',
      reason: 'The certificate differs from the one that the signer names',
    })
  })

  it('is ignored if it is not signed', async () => {
    expect((await parseSignedData(await xadesOf(undefined, false))).signers[0]!.signed_at).toBeNull()
  })

  it('has counter-signatures', async () => {
    const inner = await signed()
    const [value] = /<SignatureValue.*<\/SignatureValue>/.exec(inner)!
    const canonical = value.replace('<SignatureValue', '<SignatureValue xmlns="http://www.w3.org/2000/09/xmldsig#"')
    const counter = await signatureOf(signing, [{ uri: '#signature-value', canonical }], { id: 'counter' })
    const { signers } = await verifySignedData(utf8(`<order>${item}${inner}${counter}</order>`), 'xml')
    expect(signers).toMatchObject([
      { result: 'valid', covers: ['#a'], countersigns: null },
      { result: 'valid', covers: ['signature'], countersigns: 0 },
    ])
  })
})
