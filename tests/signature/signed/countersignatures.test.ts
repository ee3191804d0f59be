// Tests that counter-signatures in XML must sign the signature to which they belong.
import { beforeAll, describe, expect, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { rawP256, type Signing } from '../../support/signed/signing.ts'
import { type Referred, signatureOf, utf8 } from '../../support/signed/xml.ts'

const dsig = 'http://www.w3.org/2000/09/xmldsig#'

let signing: Signing

beforeAll(async () => {
  signing = await rawP256()
})

const verify = async (xml: string, content?: string) => {
  const { signers } = await verifySignedData(utf8(xml), 'xml', content === undefined ? undefined : utf8(content))
  return signers.map(({ result, reason, covers, countersigns }) => ({ result, reason, covers, countersigns }))
}

const inDsig = (xml: string) => xml.replace(/^<(\w+)/, `<$1 xmlns="${dsig}"`)

describe('a counter-signature', () => {
  const xades = 'http://uri.etsi.org/01903/v1.3.2#'
  const type = 'http://uri.etsi.org/01903#CountersignedSignature'
  const item = '<item Id="a">5</item>'
  const valueIn = (signature: string) => inDsig(/<SignatureValue.*?<\/SignatureValue>/.exec(signature)![0])

  const inside = (counter: string) =>
    `<Object><x:QualifyingProperties xmlns:x="${xades}"><x:UnsignedProperties><x:UnsignedSignatureProperties><x:CounterSignature>${counter}</x:CounterSignature></x:UnsignedSignatureProperties></x:UnsignedProperties></x:QualifyingProperties></Object>`

  async function countersigned(references: (value: string) => Referred[], objects = '') {
    const parent = await signatureOf(signing, [{ uri: '#a', canonical: item }])
    const counter = await signatureOf(signing, references(valueIn(parent)), { id: 'counter', objects })
    return { parent: parent.replace('</Signature>', `${inside(counter)}</Signature>`), counter, plain: parent }
  }

  it.each([type, undefined])('signs the value of the signature around it; Type: %s', async (type) => {
    const { parent } = await countersigned((canonical) => [
      { uri: '#signature-value', canonical, ...(type && { type }) },
    ])
    expect(await verify(`<order>${item}${parent}</order>`)).toMatchObject([
      { result: 'valid', countersigns: null },
      { result: 'valid', covers: ['signature'], countersigns: 0 },
    ])
  })

  it('is invalid if it signs a planted SignatureValue, which belongs to no signature', async () => {
    const planted = '<SignatureValue Id="evil">QQ==</SignatureValue>'
    const { parent, counter, plain } = await countersigned(
      () => [{ uri: '#evil', canonical: inDsig(planted), type }],
      `<Object>${planted}</Object>`,
    )
    for (const xml of [`<order>${item}${parent}</order>`, `<order>${item}${plain}${counter}</order>`])
      expect((await verify(xml))[1]).toMatchObject({ result: 'invalid', covers: ['#evil'], countersigns: null })
  })

  it.each([type, undefined])('is invalid if it signs another part; Type: %s', async (type) => {
    const { parent } = await countersigned(() => [{ uri: '#a', canonical: item, ...(type && { type }) }])
    expect((await verify(`<order>${item}${parent}</order>`))[1]).toMatchObject({
      result: 'invalid',
      countersigns: null,
    })
  })

  it.each([type, undefined])('is invalid if its transforms exclude that value; Type: %s', async (type) => {
    const transforms = [
      `<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath>not(ancestor-or-self::ds:Signature)</XPath></Transform>`,
    ]
    const { parent } = await countersigned(() => [
      { uri: '#signature-value', canonical: '', transforms, ...(type && { type }) },
      { uri: '#a', canonical: item },
    ])
    const xml = `<order xmlns:ds="${dsig}">${item}${parent}</order>`
    expect((await verify(xml))[1]).toMatchObject({ result: 'invalid', covers: ['#a'], countersigns: null })
    expect((await parseSignedData(xml)).signers[1]).toMatchObject({ countersigns: null })
  })

  it('is invalid if it signs the value of another signature than the one around it', async () => {
    const other = await signatureOf(signing, [{ uri: '#a', canonical: item }], { id: 'other' })
    const { parent } = await countersigned(() => [{ uri: '#other-value', canonical: valueIn(other), type }])
    expect((await verify(`<order>${item}${parent}${other}</order>`))[1]).toMatchObject({ result: 'invalid' })
  })
})
