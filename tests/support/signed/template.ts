/** The form of an XML signature in a test. Default: an enveloped RSA signature of the whole document. */
export interface Template {
  form?: 'enveloped' | 'enveloping' | 'detached'
  method?: string
  digest?: string
  canonicalization?: string
  uri?: string
  /** Transforms after the enveloped-signature transform, if the form has that: algorithms, or whole elements. */
  transforms?: string[]
  /** The PrefixList of exclusive canonicalization. */
  prefixes?: string
  keyInfo?: string
}

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const xpath = 'http://www.w3.org/TR/1999/REC-xpath-19991116'

/** Makes a document with an empty signature, which xmlsec1 fills. */
export function template(options: Template): string {
  const { form = 'enveloped' } = options
  const object = form === 'enveloping' ? '<Object Id="object">RW5jb2Rl\nZCDigqw=</Object>' : ''
  const signature = signatureOf(options, object)
  return form === 'enveloped' ? documentAround(signature) : `<?xml version="1.0" encoding="UTF-8"?>\n${signature}\n`
}

function signatureOf({ form = 'enveloped', ...options }: Template, object: string): string {
  const {
    method = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
    canonicalization = exclusive,
    uri = '',
    transforms = [],
    prefixes,
    keyInfo = '<X509Data/>',
  } = options
  const isFiltered = transforms.some((transform) => transform.startsWith('<'))
  const enveloped =
    form === 'enveloped' && !isFiltered && (uri === '' || uri === '#xpointer(/)') ? [`${dsig}enveloped-signature`] : []
  const all = [...enveloped, ...transforms].map((transform) => element('Transform', transform, prefixes))
  return `<Signature xmlns="${dsig}">
  <SignedInfo>
    ${element('CanonicalizationMethod', canonicalization)}
    <SignatureMethod Algorithm="${method}"/>
    <Reference URI="${uri}">${all.length > 0 ? `<Transforms>${all.join('')}</Transforms>` : ''}
      <DigestMethod Algorithm="${digest}"/><DigestValue/>
    </Reference>
  </SignedInfo>
  <SignatureValue/>
  <KeyInfo>${keyInfo}</KeyInfo>${object}
</Signature>`
}

function element(name: string, algorithm: string, prefixes?: string): string {
  if (algorithm.startsWith('<')) return algorithm
  const list = prefixes && algorithm.startsWith(exclusive)
  const inside = algorithm === xpath ? '<XPath>not(ancestor-or-self::Signature)</XPath>' : ''
  return `<${name} Algorithm="${algorithm}">${inside}${
    list ? `<InclusiveNamespaces xmlns="${exclusive}" PrefixList="${prefixes}"/>` : ''
  }</${name}>`
}

/** A document with everything for which canonicalization has rules, around the signature. */
const documentAround = (signature: string) => `<?xml version="1.0" encoding="UTF-8"?>
<?style  sheet="a" ?><!-- before -->
<far:order xmlns:far="urn:far" xmlns="urn:usual" xmlns:unused="urn:unused" xml:lang="kk" xml:space="preserve"
  z="1" a='2 "two"' far:b="3&#10;&#x9;&lt;&gt;&amp;&#13;	tab
  line">
  <!-- inside &amp; -->
  <item Id="signed" xmlns:own="urn:own" own:price='5 €' price="4"   b="">a &lt; b &amp; c &gt; d "e" 'f'&#13;
    <![CDATA[<raw> & "text"]]><own:none/><plain xmlns=""><again xmlns="urn:usual"/></plain>
    <far:rebound xmlns:far="urn:near" far:x="1"><far:deep xmlns:far="urn:far"/></far:rebound>
    <!-- in the item --><?target data  ?><?bare?>
  </item>\u0416 \u{1f600}
${signature}
</far:order>
<!-- after --><?last one?>
`
