// Tests the canonicalization of XML, and which XML is rejected.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type C14nMethod, canonicalize } from '#signature/signed/xml/c14n-writer'
import { readXml } from '#signature/signed/xml/reader'
import { utf8 } from '../../support/signed/xml.ts'
import { runs } from '../../support/tier.ts'

const defaultC14n: C14nMethod = { kind: '1.0', withComments: false, inclusive: [] }

const formOf = (xml: string, how: Partial<C14nMethod> = {}) =>
  canonicalize({ apex: readXml(utf8(xml)) }, { ...defaultC14n, ...how })

/** Canonicalizes the first child of the root's first child. */
function innerOf(xml: string, how: Partial<C14nMethod>) {
  const [apex] = readXml(utf8(xml)).root.children
  if (apex?.kind !== 'element') throw new Error('There is no inner element')
  return canonicalize({ apex }, { ...defaultC14n, ...how })
}

describe('the canonical form', () => {
  it('matches Canonical XML 1.0, example 3.1: instructions, comments and nodes outside the document element', () => {
    const xml = `<?xml version="1.0"?>

<?xml-stylesheet   href="doc.xsl"
   type="text/xsl"   ?>

<doc>Hello, world!<!-- Comment 1 --></doc>

<?pi-without-data     ?>

<!-- Comment 2 -->

<!-- Comment 3 -->`
    expect(formOf(xml)).toBe(`<?xml-stylesheet href="doc.xsl"
   type="text/xsl"   ?>
<doc>Hello, world!</doc>
<?pi-without-data?>`)
    expect(formOf(xml, { withComments: true })).toBe(`<?xml-stylesheet href="doc.xsl"
   type="text/xsl"   ?>
<doc>Hello, world!<!-- Comment 1 --></doc>
<?pi-without-data?>
<!-- Comment 2 -->
<!-- Comment 3 -->`)
  })

  it.each([
    [
      'start and end tags',
      `<e1   /><e2   ></e2><e3   name = "elem3"   id="elem3"   />`,
      '<e1></e1><e2></e2><e3 id="elem3" name="elem3"></e3>',
    ],
    [
      'attributes and namespaces, in their order',
      `<e5 a:attr="out" b:attr="sorted" attr2="all" attr="I'm" xmlns:b="http://www.ietf.org" xmlns:a="http://www.w3.org" xmlns="http://example.org"/>`,
      `<e5 xmlns="http://example.org" xmlns:a="http://www.w3.org" xmlns:b="http://www.ietf.org" attr="I'm" attr2="all" b:attr="sorted" a:attr="out"></e5>`,
    ],
    [
      'namespaces that are not new',
      `<e6 xmlns="" xmlns:a="http://www.w3.org"><e7 xmlns="http://www.ietf.org"><e8 xmlns="" xmlns:a="http://www.w3.org"><e9 xmlns=""/></e8></e7></e6>`,
      `<e6 xmlns:a="http://www.w3.org"><e7 xmlns="http://www.ietf.org"><e8 xmlns=""><e9></e9></e8></e7></e6>`,
    ],
    [
      'references to characters',
      '<text>First line&#x0d;&#10;Second line</text>',
      '<text>First line&#xD;\nSecond line</text>',
    ],
    ['values', '<v a="&#9;&#10;&#13;&quot;&lt;&gt;&amp;\'\n\t"/>', '<v a="&#x9;&#xA;&#xD;&quot;&lt;>&amp;\'  "></v>'],
    [
      'CDATA',
      '<c><![CDATA[value>"0" && value<"10" ?"valid":"error"]]></c>',
      '<c>value&gt;"0" &amp;&amp; value&lt;"10" ?"valid":"error"</c>',
    ],
    ['ends of lines', '<l>a\r\nb\rc\n</l>', '<l>a\nb\nc\n</l>'],
    ['characters beyond ASCII', '<é>&#xA9; &#x1F600;</é>', '<é>© 😀</é>'],
  ])('has %s', (_, xml, form) => {
    expect(formOf(`<doc>${xml}</doc>`)).toBe(`<doc>${form}</doc>`)
  })

  const around =
    '<a xmlns="urn:0" xmlns:n="urn:n" xmlns:u="urn:u" xml:lang="kk" xml:base="b" xml:id="i"><n:b xmlns:n="urn:n" xml:lang="ru"><c/></n:b></a>'

  it('of an element includes the namespaces in scope and the xml: attributes of ancestors', () => {
    expect(innerOf(around, {})).toBe(
      '<n:b xmlns="urn:0" xmlns:n="urn:n" xmlns:u="urn:u" xml:base="b" xml:id="i" xml:lang="ru"><c></c></n:b>',
    )
    expect(innerOf(around, { kind: '1.1' })).toBe(
      '<n:b xmlns="urn:0" xmlns:n="urn:n" xmlns:u="urn:u" xml:lang="ru"><c></c></n:b>',
    )
  })

  it('declares, if exclusive, namespaces where they are used', () => {
    expect(innerOf(around, { kind: 'exclusive' })).toBe(
      '<n:b xmlns:n="urn:n" xml:lang="ru"><c xmlns="urn:0"></c></n:b>',
    )
    expect(innerOf(around, { kind: 'exclusive', inclusive: ['', 'u', 'none'] })).toBe(
      '<n:b xmlns="urn:0" xmlns:n="urn:n" xmlns:u="urn:u" xml:lang="ru"><c></c></n:b>',
    )
  })

  const text = fc.string({ unit: fc.constantFrom(...'a&<>"\'\n\t\r é😀]') })
  const escaped = (value: string) => value.replace(/[&<>"\n\t\r]/g, (it) => `&#${it.charCodeAt(0)};`)
  const element: fc.Arbitrary<string> = fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .record({
        prefix: fc.constantFrom('', 'p:', 'q:'),
        declared: fc.subarray([' xmlns="urn:0"', ' xmlns:p="urn:1"', ' xmlns:q="urn:2"']),
        value: text,
        inside: fc.array(fc.oneof({ maxDepth: 4 }, text.map(escaped), tie('element')), { maxLength: 3 }),
      })
      .map(
        ({ prefix, declared, value, inside }) =>
          `<${prefix}e${declared.join('')} ${prefix}a="${escaped(value)}">${inside.join('')}</${prefix}e>`,
      ),
  })).element

  it.each(['1.0', 'exclusive'] as const)('is idempotent: %s', (kind) => {
    const property = fc.property(element, (inside) => {
      const form = formOf(`<r xmlns:p="urn:3" xmlns:q="urn:4">${inside}</r>`, { kind })
      expect(formOf(form, { kind })).toBe(form)
    })
    fc.assert(property, { numRuns: runs(200) })
  })
})

describe('XML that is not well-formed is rejected:', () => {
  const malformedXml = [
    ...[
      '',
      'a',
      '<a',
      '<a>',
      '</a>',
      '<a></b>',
      '<a/><b/>',
      '<a/>b',
      'a<b/>',
      '<1/>',
      '<a:/>',
      '<:a/>',
      '<a:b:c/>',
      '< a/>',
    ],
    ...[
      '<a b/>',
      '<a b=c/>',
      '<a b="/>',
      '<a b="<"/>',
      '<a b="1"c="2"/>',
      '<a b="1" b="2"/>',
      '<a b="&"/>',
      '<a b="&c;"/>',
    ],
    ...[
      '<a>&</a>',
      '<a>&amp</a>',
      '<a>&#0;</a>',
      '<a>&#x110000;</a>',
      '<a>&#xD800;</a>',
      '<a>&#;</a>',
      '<a>&#xFFFE;</a>',
    ],
    ...[
      '<a>\u0001</a>',
      '<a>\uffff</a>',
      '<a>]]></a>',
      '<a><![CDATA[</a>',
      '<a><!-- -- --></a>',
      '<a><!-- ---></a>',
      '<a><!b></a>',
    ],
    ...[
      '<a><?xml version="1.0"?></a>',
      '<a><?b></a>',
      '<?xml version="1.1"?><a/>',
      '<?xml encoding="utf-8"?><a/>',
      ' <?xml version="1.0"?><a/>',
    ],
    ...[
      '<p:a/>',
      '<a p:b=""/>',
      '<a xmlns:p=""/>',
      '<a xmlns:xmlns="urn:a"/>',
      '<a xmlns:xml="urn:a"/>',
      '<a xmlns="http://www.w3.org/2000/xmlns/"/>',
    ],
    ...[
      '<a xmlns:p="u" xmlns:q="u" p:x="" q:x=""/>',
      '<a xmlns:p="u" xmlns:p="v"/>',
      '<!DOCTYPE a><a/>',
      '<a/><!DOCTYPE a>',
      '<a><![CDATA[]]></a><![CDATA[]]>',
    ],
  ]

  it.each(malformedXml)('%j', (xml) => {
    expect(() => readXml(utf8(xml))).toThrow(expect.objectContaining({ errors: { cms: expect.any(String) } }))
  })
})
