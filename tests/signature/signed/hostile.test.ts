// Tests that crafted, truncated and oversized signed data is rejected quickly.
import { describe, expect, inject, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { der, integer, octets, oid, sequence, set } from '../../support/signed/der.ts'

const base64 = inject('signed').kept['rsa-sha256']!
const bytes = Uint8Array.fromBase64(base64)

const refusal = async (text: string): Promise<string> => {
  const error = await parseSignedData(text).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toMatchObject({ name: 'Failure', status: 400, errors: { cms: expect.any(String) } })
  return (error as { errors: { cms: string } }).errors.cms
}

const cmsOf = (type: string, ...parts: Uint8Array[]) => sequence(oid(type), der(0xa0, ...parts)).toBase64()
const signedData = '1.2.840.113549.1.7.2'
const emptyData = sequence(integer(1), set(), sequence(oid('1.2.840.113549.1.7.1')), set())

describe('rejects, with the reason,', () => {
  it.each([
    ['nothing', ' \n', 'must not be empty'],
    ['text that is neither', 'Hello, world!', 'must be CMS in base64 or PEM, or XML'],
    ['base64 of something else', 'SGVsbG8=', 'The base64 holds neither'],
    ['base64 with an end inside', `MI=${base64}`, 'must be CMS in base64 or PEM, or XML'],
    ['PEM of a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'must be CMS or PKCS7'],
    ['PEM without its end', '-----BEGIN CMS-----\nAAAA', 'must end with'],
    ['PEM with another end', '-----BEGIN CMS-----\nAAAA\n-----END PKCS7-----', 'must end with'],
    ['PEM of no base64', '-----BEGIN CMS-----\n????\n-----END CMS-----', 'must contain base64'],
  ])('%s', async (_, text, why) => {
    expect(await refusal(text)).toContain(why)
  })

  it.each([
    ['DER that is cut short', bytes.subarray(0, -1).toBase64(), 'where'],
    ['DER with more after it', new Uint8Array([...bytes, 0]).toBase64(), 'followed by 1 more byte'],
    [
      'a length of 1 GB',
      new Uint8Array([0x30, 0x84, 0x40, 0, 0, 0, 6]).toBase64(),
      'a value of 1073741824 bytes where 1',
    ],
    ['a length of 127 bytes', new Uint8Array([0x30, 0xff, 1]).toBase64(), 'a length that takes 127 bytes'],
    ['a million tags inside each other', nested(1_000_000, 0x30, 0x80), 'deeper than'],
    ['tags with a number that has no end', new Uint8Array(1_000_000).fill(0xff).fill(0x30, 0, 1).toBase64(), 'length'],
    ['10 MB of zeros', new Uint8Array(10_000_000).toBase64(), 'holds neither'],
    ['10 MB of zeros in a sequence', inSequence(new Uint8Array(10_000_000)), 'more than 50000 values'],
    ['a primitive value without a length', new Uint8Array([0x30, 2, 0x04, 0x80]).toBase64(), 'indefinite length'],
    ['ASN.1 that is not CMS', sequence(integer(1)).toBase64(), 'not CMS'],
    ['enveloped data', cmsOf('1.2.840.113549.1.7.3', sequence()), 'not enveloped data'],
    ['another kind of CMS', cmsOf('1.2.3', sequence()), 'not 1.2.3'],
    ['CMS with nothing inside', cmsOf(signedData), 'no signed data'],
    [
      'a name of a megabyte',
      cmsOf(signedData, withName(sequence(octets(new Uint8Array(1_000_000))))),
      'a name of more',
    ],
    ['a serial number of a megabyte', cmsOf(signedData, withSerial(new Uint8Array(1_000_000))), 'no serial number'],
    ['CMS with parts missing', cmsOf(signedData, sequence(integer(1))), 'incomplete'],
    ['CMS of certificates alone', cmsOf(signedData, emptyData), 'no signer'],
    [
      'an octet string with something else inside',
      cmsOf(signedData, dataOf(der(0x24, integer(1)))),
      'value of another type',
    ],
  ])('%s', async (_, text, why) => {
    expect(await refusal(text)).toContain(why)
  })

  it.each([
    ['a document type', '<!DOCTYPE a><a/>', 'document type'],
    ['billion laughs', laughs(), 'document type'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', 'document type'],
    ['a custom entity', '<a>&e;</a>', 'other than amp'],
    ['a hundred thousand levels', '<a>'.repeat(100_000), 'deeper than 200'],
    ['a million elements', `<a>${'<b/>'.repeat(1_000_000)}</a>`, 'more than 100000 nodes'],
    ['a million starts of tags', '<a '.repeat(1_000_000), 'more than 100000 nodes'],
    ['a hundred thousand attributes', `<a ${many(100_000, (i) => `a${i}=""`)}/>`, 'more than 1000 attributes'],
    ['a million ampersands', `<a>${'&'.repeat(1_000_000)}</a>`, 'an & that does not begin a reference'],
    ['a million starts of comments', `<a>${'<!--'.repeat(150_000)}</a>`, 'not well-formed'],
    ['no signature', '<a/>', 'no Signature'],
    ['a signature of another namespace', '<Signature/>', 'no Signature'],
    ['an empty signature', signature(''), 'must have one SignedInfo'],
    ['a signature of nothing', signature('<SignedInfo/>'), 'without references'],
    ['a URI of 10 000 characters', signature(referring('u'.repeat(10_000))), 'a URI of more'],
    ['too many signatures', `<a>${signature('').repeat(51)}</a>`, 'more than 50 signatures'],
  ])('XML with %s', async (_, text, why) => {
    expect(await refusal(text)).toContain(why)
    expect(await refusal(new TextEncoder().encode(text).toBase64())).toContain(why)
  })

  it('invalid base64 inside XML', async () => {
    const xml = new TextDecoder().decode(Uint8Array.fromBase64(inject('signed').kept['xml-rsa-sha256']!))
    expect(await refusal(xml.replace('<SignatureValue>', '<SignatureValue>?'))).toContain(
      'SignatureValue that is not base64',
    )
    expect(await refusal(xml.replace('<SignatureValue>', '<SignatureValue><x/>'))).toContain('child elements')
    expect(await refusal(xml.replace('<DigestValue>', '<DigestValue>?'))).toContain('DigestValue that is not base64')
    const certificate = xml.replace(/<X509Certificate>[^<]*/, '<X509Certificate>MAMCAQE=')
    expect(await refusal(certificate)).toEqual(expect.any(String))
  })
})

it('data truncated at any byte is rejected', async () => {
  for (let size = 0; size < bytes.length; size += 7) await refusal(bytes.subarray(0, size).toBase64())
})

function nested(depth: number, ...head: number[]): string {
  const all = new Uint8Array(depth * head.length)
  for (let i = 0; i < all.length; i++) all[i] = head[i % head.length]!
  return all.toBase64()
}

function inSequence(content: Uint8Array): string {
  const { length } = content
  const all = new Uint8Array(length + 5)
  all.set([0x30, 0x83, length >> 16, (length >> 8) & 0xff, length & 0xff])
  all.set(content, 5)
  return all.toBase64()
}

function dataOf(content: Uint8Array): Uint8Array {
  const encapsulated = sequence(oid('1.2.840.113549.1.7.1'), der(0xa0, content))
  return sequence(integer(1), set(), encapsulated, set(sequence(octets(new Uint8Array()))))
}

const withName = (name: Uint8Array) => signedBy(sequence(name, integer(1)))
const withSerial = (serial: Uint8Array) => signedBy(sequence(sequence(), der(0x02, serial)))

function signedBy(id: Uint8Array): Uint8Array {
  const signer = sequence(integer(1), id, sequence(oid('1.2')), sequence(oid('1.2')), octets(new Uint8Array()))
  return sequence(integer(1), set(), sequence(oid('1.2.840.113549.1.7.1')), set(signer))
}

function laughs(): string {
  const entities = many(10, (i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
  return `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${entities}]><l>&l10;</l>`
}

function many(count: number, one: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => one(i)).join(' ')
}

const referring = (uri: string) =>
  `<SignedInfo><Reference URI="${uri}"><DigestMethod/><DigestValue/></Reference><CanonicalizationMethod/><SignatureMethod/></SignedInfo><SignatureValue/>`

const signature = (inside: string) => `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">${inside}</Signature>`
