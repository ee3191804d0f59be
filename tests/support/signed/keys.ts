/** OpenSSL arguments for the keys of the signed data that tests read, by name. */
export const keys: Record<string, string[]> = {
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  // An RSA key with a large public exponent, as qualified cards have. WebCrypto does not support it.
  exponent: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-pkeyopt', 'rsa_keygen_pubexp:1073741953'],
  weak: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  pss: ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'],
  p256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  p521: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  secp256k1: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
  dsa: ['-paramfile', 'dsa.parameters'],
}

export const serial = '00E5CA1AB1E5'

/** The subject of a certificate, as OpenSSL takes it and as RFC 4514 writes it. */
export const subjectOf = (key: string) => ({
  given: `/C=KZ/O=Acme, Inc./CN=Ann Ж ${key}`,
  shown: `CN=Ann Ж ${key},O=Acme\\, Inc.,C=KZ`,
})

/** The content that all CMS signatures sign: text, NUL, and line ends that must not change. */
export const content = 'Ann owes Bob 5 €.\r\nOn demand.\n\0\r'

/** The document outside of the signature that detached XML signatures sign. */
export const externalXml = '<?xml version="1.0"?>\n<!-- of -->\n<order n=\'1\'><item>5 €</item></order>\n'
