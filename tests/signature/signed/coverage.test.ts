// Tests which parts of an XML document a signature covers: Manifests, transforms and XPath expressions.
import { beforeAll, describe, expect, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { rawP256, type Signing } from '../../support/signed/signing.ts'
import { enveloped, exclusive, type Referred, reference, signatureOf, utf8 } from '../../support/signed/xml.ts'

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const manifestType = `${dsig}Manifest`

let signing: Signing

beforeAll(async () => {
  signing = await rawP256()
})

const verify = async (xml: string, content?: string) => {
  const { signers } = await verifySignedData(utf8(xml), 'xml', content === undefined ? undefined : utf8(content))
  return signers.map(({ result, reason, covers, countersigns }) => ({ result, reason, covers, countersigns }))
}
const one = async (xml: string, content?: string) => (await verify(xml, content))[0]!

const inDsig = (xml: string) => xml.replace(/^<(\w+)/, `<$1 xmlns="${dsig}"`)

describe('a Manifest', () => {
  const contract = '<Object Id="contract">pay 10</Object>'

  async function manifestOf(entries: Referred[], { id = 'm', type = manifestType, more = contract } = {}) {
    const references = (await Promise.all(entries.map(reference))).join('')
    const manifest = `<Manifest Id="${id}">${references}</Manifest>`
    return {
      manifest,
      references: [{ uri: `#${id}`, canonical: inDsig(manifest), type }],
      objects: `<Object>${manifest}</Object>${more}`,
    }
  }
  const entry: Referred = { uri: '#contract', canonical: inDsig(contract) }

  it('is valid and covers its references if they match', async () => {
    for (const type of [manifestType, undefined]) {
      const { references, objects } = await manifestOf([entry], { type })
      const xml = await signatureOf(signing, references, { objects })
      expect(await one(xml)).toMatchObject({ result: 'valid', covers: ['#m', '#contract'] })
      expect(await one(xml.replace('pay 10', 'pay 999999'))).toMatchObject({
        result: 'invalid',
        reason: 'The digest of a reference does not match the signed digest',
      })
      expect(await one(xml.replace('Id="contract"', 'Id="other"'))).toMatchObject({ result: 'invalid' })
    }
  })

  it('is verified inside a signed Object, and inside another Manifest', async () => {
    const { objects } = await manifestOf([entry], { more: '' })
    const inObject = objects.replace('<Object>', '<Object Id="o">')
    const signed = [{ uri: '#o', canonical: inDsig(inObject) }]
    const xml = await signatureOf(signing, signed, { objects: inObject + contract })
    expect(await one(xml)).toMatchObject({ result: 'valid', covers: ['#o', '#contract'] })
    expect(await one(xml.replace('pay 10', 'pay 9'))).toMatchObject({ result: 'invalid' })

    const inner = await manifestOf([entry])
    const outer = await manifestOf(inner.references, { id: 'outer', more: inner.objects })
    const nested = await signatureOf(signing, outer.references, { objects: outer.objects })
    expect(await one(nested)).toMatchObject({ result: 'valid', covers: ['#outer', '#m', '#contract'] })
    expect(await one(nested.replace('pay 10', 'pay 9'))).toMatchObject({ result: 'invalid' })
  })

  it('with an external reference is verified with the content, and unsupported without it or with several', async () => {
    const outside = { uri: 'a.txt', canonical: 'Ann', transforms: [] }
    const { references, objects } = await manifestOf([outside])
    const xml = await signatureOf(signing, references, { objects })
    expect(await one(xml, 'Ann')).toMatchObject({ result: 'valid', covers: ['#m', 'content'] })
    expect(await one(xml, 'Bob')).toMatchObject({ result: 'invalid' })
    expect(await one(xml)).toMatchObject({
      result: 'unsupported',
      reason: expect.stringContaining('A Manifest refers to'),
    })
    const two = await manifestOf([outside, { ...outside, uri: 'b.txt' }])
    const several = await signatureOf(signing, two.references, { objects: two.objects })
    expect(await one(several, 'Ann')).toMatchObject({
      result: 'unsupported',
      reason: expect.stringContaining('more than one'),
    })
  })

  it('is unsupported if it cannot be found or parsed', async () => {
    const lost = await signatureOf(signing, [{ uri: '#contract', canonical: inDsig(contract), type: manifestType }], {
      objects: contract,
    })
    expect(await one(lost)).toMatchObject({ result: 'unsupported', reason: expect.stringContaining('type Manifest') })
    const manifest = '<Manifest Id="m"><Reference URI="#contract"></Reference></Manifest>'
    const broken = await signatureOf(signing, [{ uri: '#m', canonical: inDsig(manifest) }], {
      objects: `<Object>${manifest}</Object>${contract}`,
    })
    expect(await one(broken)).toMatchObject({
      result: 'unsupported',
      reason: expect.stringContaining('cannot be parsed'),
    })
    const many = await manifestOf(Array.from({ length: 1_001 }, () => entry))
    const tooMany = await signatureOf(signing, many.references, { objects: many.objects })
    expect(await one(tooMany)).toMatchObject({
      result: 'unsupported',
      reason: expect.stringContaining('more than 1000'),
    })
  })

  it('is ignored if the transforms of its reference exclude it', async () => {
    const transforms = [
      '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath>not(ancestor-or-self::ds:Signature)</XPath></Transform>',
    ]
    const { references, objects } = await manifestOf([entry])
    const empty = references.map((one) => ({ ...one, canonical: '', transforms }))
    const xml = (await signatureOf(signing, empty, { objects })).replace('<Signature', `<Signature xmlns:ds="${dsig}"`)
    expect(await one(xml)).toMatchObject({
      result: 'invalid',
      reason: expect.stringContaining('covers nothing'),
      covers: [],
    })
  })

  it('is ignored if it is not signed, or signed by another signature', async () => {
    const { objects } = await manifestOf([{ ...entry, canonical: 'another' }], { more: '' })
    const item = '<item Id="a">5</item>'
    const own = await signatureOf(signing, [{ uri: '#a', canonical: item }], { objects })
    const order = `<order>${item}${own}</order>`
    expect(await one(order)).toMatchObject({ result: 'valid', covers: ['#a'] })
  })
})

describe('the coverage of a signature', () => {
  it.each([
    ['the document', ''],
    ['its own element', '#S'],
  ])('is empty if it excludes itself from %s', async (_, uri) => {
    const signature = await signatureOf(signing, [{ uri, canonical: '', transforms: [enveloped] }], {
      objects: '<Object>pay 10</Object>',
    })
    const root = signature.replace('<Signature', '<Signature Id="S"')
    for (const xml of [root, root.replace('pay 10', 'pay 999999'), `<!-- a --><?b?>${root}`]) {
      const { result, covers } = await one(xml)
      expect({ result, covers }).toEqual({ result: 'invalid', covers: [] })
    }
  })

  it('is empty for an element with empty base64', async () => {
    const transforms = [`${dsig}base64`]
    const signature = await signatureOf(signing, [
      { uri: '#a', canonical: '', transforms },
      { uri: '#b', canonical: '<b Id="b"></b>' },
    ])
    expect(await one(`<order><item Id="a"> </item><b Id="b"></b>${signature}</order>`)).toMatchObject({
      result: 'valid',
      covers: ['#b'],
    })
  })
})

describe('the XPath that excludes signatures', () => {
  const filter2 = 'http://www.w3.org/2002/06/xmldsig-filter2'
  const xpath1 = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
  const filter = (expression: string, kind = 'subtract') =>
    `<Transform Algorithm="${filter2}"><XPath xmlns="${filter2}" Filter="${kind}">${expression}</XPath></Transform>`
  const xpath = (expression: string) => `<Transform Algorithm="${xpath1}"><XPath>${expression}</XPath></Transform>`

  /** Makes an order with its signature. The XPath expressions use a prefix that exclusive canonicalization does not write. */
  const orderOf = async (transform: string, inside = '', kept = inside) => {
    const canonical = `<order><a>5</a><b>${kept}</b></order>`
    const signature = await signatureOf(signing, [{ uri: '', canonical, transforms: [transform, exclusive] }])
    return `<order xmlns:ds="${dsig}" xmlns:other="urn:other"><a>5</a>${signature}<b>${inside}</b></order>`
  }

  it.each([
    ['XPath Filter 2.0, all', filter('/descendant::ds:Signature')],
    ['XPath Filter 2.0, with spaces', filter(' /descendant::ds:Signature\n')],
    ['XPath Filter 2.0, of the root', filter('/*/ds:Signature')],
    ['XPath', xpath('not(ancestor-or-self::ds:Signature)')],
  ])('is read: %s', async (_, transform) => {
    const xml = await orderOf(transform)
    expect(await one(xml)).toMatchObject({ result: 'valid', covers: ['document'] })
    expect(await one(xml.replace('<a>5', '<a>6'))).toMatchObject({ result: 'invalid' })
  })

  it('excludes other signatures too, or only those in the root', async () => {
    const item = '<item Id="a">5</item>'
    const other = item + (await signatureOf(signing, [{ uri: '#a', canonical: item }], { id: 'other' }))
    const all = await orderOf(filter('/descendant::ds:Signature'), other, item)
    const ofRoot = await orderOf(filter('/*/ds:Signature'), other)
    for (const xml of [all, ofRoot]) expect((await verify(xml)).map(({ result }) => result)).toEqual(['valid', 'valid'])
    const changed = (xml: string) => xml.replace('other-value', 'changed')
    expect(await one(changed(all))).toMatchObject({ result: 'valid' })
    expect(await one(changed(ofRoot))).toMatchObject({ result: 'invalid' })
  })

  it('covers nothing of a document whose root is a signature', async () => {
    const references = [{ uri: '', canonical: '', transforms: [xpath('not(ancestor-or-self::ds:Signature)')] }]
    const signature = await signatureOf(signing, references, { objects: '<Object>pay 10</Object>' })
    const root = signature.replace('<Signature', `<Signature xmlns:ds="${dsig}"`)
    expect(await one(root)).not.toMatchObject({ result: 'valid' })
    expect((await one(root)).covers).toEqual([])
  })

  const ds = `xmlns:ds="${dsig}"`
  const withoutSignatures = xpath('not(ancestor-or-self::ds:Signature)')

  it.each([
    ['', '', ''],
    ['#S', '', ''],
    ['', '<?b?>', '<?b?>\n'],
  ])(
    'covers nothing of a signature that is written before it is left out: %j after %j',
    async (uri, before, canonical) => {
      const references = [{ uri, canonical, transforms: [exclusive, withoutSignatures] }]
      const signature = await signatureOf(signing, references, { objects: '<Object>pay 10</Object>' })
      const root = before + signature.replace('<Signature', `<Signature ${ds} Id="S"`)
      for (const xml of [root, root.replace('pay 10', 'pay 999999')])
        expect(await one(xml)).toMatchObject({
          result: 'invalid',
          reason: expect.stringContaining('covers nothing'),
          covers: [],
        })
    },
  )

  it('covers nothing of content whose root is a signature', async () => {
    const outside = { uri: 'a.xml', canonical: '', transforms: [withoutSignatures] }
    const signature = (await signatureOf(signing, [outside])).replace('<Signature', `<Signature ${ds}`)
    for (const text of ['pay 10', 'pay 999999'])
      expect(await one(signature, `<ds:Signature ${ds}>${text}</ds:Signature>`)).toMatchObject({
        result: 'invalid',
        reason: expect.stringContaining('covers nothing'),
        covers: [],
      })
  })

  it('covers empty content', async () => {
    const signature = await signatureOf(signing, [{ uri: 'a.txt', canonical: '', transforms: [] }])
    expect(await one(signature, '')).toMatchObject({ result: 'valid', covers: ['content'] })
  })

  it.each([
    ['another expression', filter('/descendant::ds:Object')],
    ['another filter', filter('/descendant::ds:Signature', 'intersect')],
    ['a prefix of another namespace', filter('/descendant::other:Signature')],
    ['a prefix of no namespace', filter('/descendant::none:Signature')],
    ['an expression of Filter 2.0 in XPath', xpath('/descendant::ds:Signature')],
    ['two filters in one', filter('/*/ds:Signature').replace(/<XPath.*<\/XPath>/, '$&$&')],
  ])('is unsupported with %s', async (_, transform) => {
    expect(await one(await orderOf(transform))).toMatchObject({ result: 'unsupported' })
  })
})

it('a signature with 900 references is stored and verified, one with more than 1000 is rejected', async () => {
  const item = '<item Id="a">5</item>'
  const many = (length: number) =>
    signatureOf(
      signing,
      Array.from({ length }, () => ({ uri: '#a', canonical: item })),
    )
  const xml = `<order>${item}${await many(900)}</order>`
  expect((await parseSignedData(xml)).signers).toHaveLength(1)
  expect(await one(xml)).toMatchObject({ result: 'valid', covers: ['#a'] })
  await expect(parseSignedData(`<order>${item}${await many(1_001)}</order>`)).rejects.toMatchObject({
    errors: { cms: expect.stringContaining('more than 1000') },
  })
})

it('the namespaces around a signed element count as work', async () => {
  const declarations = (level: number) => Array.from({ length: 990 }, (_, i) => ` xmlns:p${level}x${i}="u:"`).join('')
  const open = Array.from({ length: 70 }, (_, level) => `<a${declarations(level)}>`).join('')
  const targets = Array.from({ length: 50 }, (_, i) => `<t Id="T${i}"></t>`)
  const references = targets.map((canonical, i) => ({ uri: `#T${i}`, canonical }))
  const signature = await signatureOf(signing, references)
  const xml = `${open}${targets.join('')}${signature.repeat(12)}${'</a>'.repeat(70)}`
  const { result, signers } = await verifySignedData(utf8(xml), 'xml')
  expect(result).toBe('unsupported')
  expect(signers.at(-1)).toMatchObject({ reason: 'The references take more work than is allowed for one document' })
})
