// Verifies DKIM signatures (RFC 6376) in tests, with another library than the one that signs.
import { dkimVerify } from 'mailauth'
import type { TakenMail } from './smtp-server.ts'

/** The TXT record that the tests' DNS has. */
export interface DnsRecord {
  name: string
  text: string
}

/** The result of verifying one signature of a mail. */
export interface Verdict {
  /** Result of the verification: `pass`, `fail`, `neutral` or another value of RFC 8601. */
  result: string
  domain: string
  selector: string
  algorithm: string
  canonicalization: string
  /** Names of the signed headers. */
  headers: string[]
}

/** Verifies the first signature of each mail. A mail without a signature has the result `none`. */
export async function verify(mails: TakenMail[], { name, text }: DnsRecord): Promise<Verdict[]> {
  const resolver = async (domain: string) => {
    if (domain === name) return [[text]]
    throw Object.assign(new Error('No such name'), { code: 'ENOTFOUND' })
  }
  return Promise.all(
    mails.map(async ({ raw }) => {
      const { results } = await dkimVerify(Buffer.from(raw, 'base64'), { resolver })
      const [first] = results
      return {
        result: first?.status.result ?? 'none',
        domain: first?.signingDomain ?? '',
        selector: first?.selector ?? '',
        algorithm: first?.algo ?? '',
        canonicalization: first?.format ?? '',
        headers: (first?.signingHeaders?.keys ?? '').toLowerCase().split(/\s*:\s*/),
      }
    }),
  )
}
