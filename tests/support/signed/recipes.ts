// The signed data of signature tests: how a program makes each, and what must be found in it.
import { content, externalXml } from './keys.ts'
import { type Template, template } from './template.ts'

/** Signed data that a command-line program makes, and the expected result of reading it. */
export interface Recipe {
  program: 'openssl' | 'xmlsec1'
  /** Name of the key that signs, for several signers that of the first. */
  key: string
  /** Additional arguments of `openssl cms -sign`. */
  args?: string[]
  /** The XML document that xmlsec1 signs. */
  template?: Template
  algorithm: string
  covers: string[]
  result?: 'valid' | 'unsupported'
  weak?: true
  /** The content that must be given to verify a detached signature. */
  detachedFrom?: string
  /** Set if the signature does not contain the certificate. */
  isBare?: true
}

const cms = (key: string, algorithm: string, args: string[] = [], more: Partial<Recipe> = {}): Recipe => ({
  program: 'openssl',
  key,
  args: ['-outform', 'DER', '-nodetach', ...args],
  algorithm,
  covers: ['content'],
  ...more,
})

const detached = { args: ['-outform', 'DER'], detachedFrom: content }
const pss = (digest: string, salt: string) => [
  ...['-md', digest, '-keyopt', 'rsa_padding_mode:pss'],
  ...['-keyopt', `rsa_pss_saltlen:${salt}`, '-keyopt', `rsa_mgf1_md:${digest}`],
]
const noAttributes = ['-noattr']
const unsupported = { result: 'unsupported' } as const

const ofOpenssl: Record<string, Recipe> = {
  'rsa-sha1': cms('rsa', 'RSA with SHA-1', ['-md', 'sha1'], { weak: true }),
  'rsa-sha224': cms('rsa', 'RSA with SHA-224', ['-md', 'sha224'], unsupported),
  'rsa-sha256': cms('rsa', 'RSA with SHA-256'),
  'rsa-sha384': cms('rsa', 'RSA with SHA-384', ['-md', 'sha384']),
  'rsa-sha512': cms('rsa', 'RSA with SHA-512', ['-md', 'sha512']),
  'rsa-sha3': cms('rsa', 'RSA with SHA3-256', ['-md', 'sha3-256'], unsupported),
  'rsa-1024': cms('weak', 'RSA with SHA-256', [], { weak: true }),
  'rsa-noattr': cms('rsa', 'RSA with SHA-256', noAttributes),
  'rsa-keyid': cms('rsa', 'RSA with SHA-256', ['-keyid']),
  'rsa-nocerts': cms('rsa', 'RSA with SHA-256', ['-nocerts'], { ...unsupported, isBare: true }),
  'rsa-keyid-nocerts': cms('rsa', 'RSA with SHA-256', ['-keyid', '-nocerts'], { ...unsupported, isBare: true }),
  'rsa-cades': cms('rsa', 'RSA with SHA-256', ['-cades']),
  'rsa-cades-sha1': cms('rsa', 'RSA with SHA-1', ['-cades', '-md', 'sha1'], { weak: true }),
  'rsa-ber': cms('rsa', 'RSA with SHA-256', ['-stream']),
  'rsa-ber-noattr': cms('rsa', 'RSA with SHA-256', ['-stream', ...noAttributes]),
  'rsa-detached': cms('rsa', 'RSA with SHA-256', [], detached),
  'rsa-detached-noattr': cms('rsa', 'RSA with SHA-256', [], {
    ...detached,
    args: ['-outform', 'DER', ...noAttributes],
  }),
  'rsa-pem': cms('rsa', 'RSA with SHA-256', [], { args: ['-outform', 'PEM', '-nodetach'] }),
  'rsa-pem-detached': cms('rsa', 'RSA with SHA-256', [], { ...detached, args: ['-outform', 'PEM'] }),
  'rsa-other-type': cms('rsa', 'RSA with SHA-256', ['-econtent_type', '1.2.3.4']),
  'pss-sha256': cms('rsa', 'RSA-PSS with SHA-256', pss('sha256', '32')),
  'pss-sha384-salt-0': cms('rsa', 'RSA-PSS with SHA-384', pss('sha384', '0')),
  'pss-sha512-salt-most': cms('rsa', 'RSA-PSS with SHA-512', pss('sha512', 'max')),
  'pss-sha1': cms('rsa', 'RSA-PSS with SHA-1', pss('sha1', '20'), { weak: true }),
  'pss-noattr': cms('rsa', 'RSA-PSS with SHA-256', [...pss('sha256', '32'), ...noAttributes]),
  'pss-two-hashes': cms(
    'rsa',
    'RSA-PSS with SHA-256',
    ['-md', 'sha256', '-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_mgf1_md:sha1'],
    unsupported,
  ),
  'pss-key': cms('pss', 'RSA-PSS with SHA-256', pss('sha256', '32')),
  'rsa-exponent': cms('exponent', 'RSA with SHA-256'),
  'rsa-exponent-sha512': cms('exponent', 'RSA with SHA-512', ['-md', 'sha512']),
  'pss-exponent': cms('exponent', 'RSA-PSS with SHA-256', pss('sha256', '32')),
  'pss-exponent-salt-most': cms('exponent', 'RSA-PSS with SHA-512', pss('sha512', 'max')),
  'p256-sha256': cms('p256', 'ECDSA with SHA-256'),
  'p256-sha1': cms('p256', 'ECDSA with SHA-1', ['-md', 'sha1'], { weak: true }),
  'p256-sha512': cms('p256', 'ECDSA with SHA-512', ['-md', 'sha512']),
  'p256-noattr-detached': cms('p256', 'ECDSA with SHA-256', [], {
    ...detached,
    args: ['-outform', 'DER', ...noAttributes],
  }),
  'p384-sha384': cms('p384', 'ECDSA with SHA-384', ['-md', 'sha384']),
  'p521-sha512': cms('p521', 'ECDSA with SHA-512', ['-md', 'sha512']),
  'secp256k1-sha256': cms('secp256k1', 'ECDSA with SHA-256', [], unsupported),
  'dsa-sha256': cms('dsa', 'DSA with SHA-256', [], unsupported),
}

const xml = (key: string, algorithm: string, template: Template = {}, more: Partial<Recipe> = {}): Recipe => ({
  program: 'xmlsec1',
  key,
  template,
  algorithm,
  covers: ['document'],
  ...more,
})

const c14n = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const c14n11 = 'http://www.w3.org/2006/12/xml-c14n11'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'

const filter2 = 'http://www.w3.org/2002/06/xmldsig-filter2'
const filtered = (expression: string) => ({
  transforms: [
    `<Transform Algorithm="${filter2}"><XPath xmlns="${filter2}" xmlns:s="${dsig}" Filter="subtract">${expression}</XPath></Transform>`,
    exclusive,
  ],
})
const withoutSignatures = `<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath xmlns:ds="${dsig}">not(ancestor-or-self::ds:Signature)</XPath></Transform>`

const ofXmlsec: Record<string, Recipe> = {
  'xml-exponent': xml('exponent', 'RSA with SHA-256'),
  'xml-filter2': xml('rsa', 'RSA with SHA-256', filtered('/descendant::s:Signature')),
  'xml-filter2-root': xml('rsa', 'RSA with SHA-256', filtered('/*/s:Signature')),
  'xml-xpath-signatures': xml('rsa', 'RSA with SHA-256', { transforms: [withoutSignatures, c14n] }),
  'xml-rsa-sha1': xml('rsa', 'RSA with SHA-1', { method: `${dsig}rsa-sha1`, digest: `${dsig}sha1` }, { weak: true }),
  'xml-digest-sha1': xml('rsa', 'RSA with SHA-256', { digest: `${dsig}sha1` }, { weak: true }),
  'xml-rsa-sha224': xml('rsa', 'RSA with SHA-224', { method: `${more}rsa-sha224` }, unsupported),
  'xml-digest-sha224': xml('rsa', 'RSA with SHA-256', { digest: `${more}sha224` }, unsupported),
  'xml-rsa-sha256': xml('rsa', 'RSA with SHA-256'),
  'xml-rsa-sha384': xml('rsa', 'RSA with SHA-384', { method: `${more}rsa-sha384`, digest: `${more}sha384` }),
  'xml-rsa-sha512': xml('rsa', 'RSA with SHA-512', { method: `${more}rsa-sha512`, digest: `${xmlenc}sha512` }),
  'xml-p256-sha256': xml('p256', 'ECDSA with SHA-256', { method: `${more}ecdsa-sha256` }),
  'xml-p384-sha384': xml('p384', 'ECDSA with SHA-384', { method: `${more}ecdsa-sha384` }),
  'xml-p521-sha512': xml('p521', 'ECDSA with SHA-512', { method: `${more}ecdsa-sha512` }),
  'xml-c14n': xml('rsa', 'RSA with SHA-256', { canonicalization: c14n, transforms: [c14n] }),
  'xml-c14n-comments': xml('rsa', 'RSA with SHA-256', {
    canonicalization: `${c14n}#WithComments`,
    transforms: [`${c14n}#WithComments`],
  }),
  'xml-c14n11': xml('rsa', 'RSA with SHA-256', { canonicalization: c14n11, transforms: [c14n11] }),
  'xml-exclusive': xml('rsa', 'RSA with SHA-256', { canonicalization: exclusive, transforms: [exclusive] }),
  'xml-exclusive-comments': xml('rsa', 'RSA with SHA-256', {
    canonicalization: `${exclusive}WithComments`,
    transforms: [`${exclusive}WithComments`],
  }),
  'xml-exclusive-prefixes': xml('rsa', 'RSA with SHA-256', {
    canonicalization: exclusive,
    transforms: [exclusive],
    prefixes: '#default far',
  }),
  'xml-element': xml('rsa', 'RSA with SHA-256', { uri: '#signed', transforms: [c14n] }, { covers: ['#signed'] }),
  'xml-element-c14n11': xml(
    'rsa',
    'RSA with SHA-256',
    { uri: '#signed', transforms: [c14n11] },
    { covers: ['#signed'] },
  ),
  'xml-element-bare': xml('rsa', 'RSA with SHA-256', { uri: '#signed' }, { covers: ['#signed'] }),
  'xml-element-exclusive': xml(
    'p256',
    'ECDSA with SHA-256',
    { uri: '#signed', method: `${more}ecdsa-sha256`, transforms: [exclusive], prefixes: 'far' },
    { covers: ['#signed'] },
  ),
  'xml-element-with-comments': xml(
    'rsa',
    'RSA with SHA-256',
    { uri: "#xpointer(id('signed'))", transforms: [`${c14n}#WithComments`] },
    { covers: ['#signed'] },
  ),
  'xml-document-with-comments': xml('rsa', 'RSA with SHA-256', {
    uri: '#xpointer(/)',
    transforms: [`${c14n}#WithComments`],
  }),
  'xml-enveloping': xml('rsa', 'RSA with SHA-256', { form: 'enveloping', uri: '#object' }, { covers: ['#object'] }),
  'xml-base64': xml(
    'rsa',
    'RSA with SHA-256',
    { form: 'enveloping', uri: '#object', transforms: [`${dsig}base64`] },
    { covers: ['#object'] },
  ),
  'xml-external': xml(
    'rsa',
    'RSA with SHA-256',
    { form: 'detached', uri: 'external.xml' },
    { covers: ['content'], detachedFrom: externalXml },
  ),
  'xml-external-c14n': xml(
    'rsa',
    'RSA with SHA-256',
    { form: 'detached', uri: 'external.xml', transforms: [`${c14n}#WithComments`] },
    { covers: ['content'], detachedFrom: externalXml },
  ),
  'xml-key-value': xml('rsa', 'RSA with SHA-256', { keyInfo: '<KeyValue/>' }, { isBare: true }),
  'xml-bare': xml('rsa', 'RSA with SHA-256', { keyInfo: '<KeyName/>' }, { isBare: true, ...unsupported }),
  'xml-xpath': xml(
    'rsa',
    'RSA with SHA-256',
    { transforms: ['http://www.w3.org/TR/1999/REC-xpath-19991116'] },
    unsupported,
  ),
  'xml-hmac': xml('rsa', 'HMAC with SHA-256', { method: `${more}hmac-sha256` }, { ...unsupported, isBare: true }),
}

export const recipes: Record<string, Recipe> = { ...ofOpenssl, ...ofXmlsec }

export const textOf = ({ template: options = {} }: Recipe) => template(options)
