// Certificates for tests, signed by a certificate authority that no system trusts.
import { generate } from 'selfsigned'

export interface Certificate {
  /** Private key in PEM; `cert` is PEM too. */
  key: string
  cert: string
}

/** Creates a certificate authority. */
export async function authority() {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'The authority of a test' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return {
    cert,
    /** Creates a certificate for a host name or an IP address. */
    certify: async (host: string): Promise<Certificate> => {
      const made = await generate([{ name: 'commonName', value: host }], {
        algorithm: 'sha256',
        ca: { key, cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          {
            name: 'subjectAltName',
            altNames: [/^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host }],
          },
        ],
      })
      return { key: made.private, cert: made.cert }
    },
  }
}
