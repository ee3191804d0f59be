// What a receiver makes of DKIM signatures (RFC 6376), by another library than the one that signs.
import { dkimVerify } from 'mailauth'
import type { TakenMail } from './smtp-server.ts'

/** The one TXT record of a DNS. */
export interface DnsRecord {
  name: string
  text: string
}

/** Of each signature of a mail. */
export interface Verdict {
  /** `pass`, `fail`, `neutral` and so on. */
  result: string
  domain: string
  selector: string
  algorithm: string
  canonicalization: string
  /** The headers that are signed. */
  headers: string[]
}

/** The first signature of each mail; one without has `none`. */
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
