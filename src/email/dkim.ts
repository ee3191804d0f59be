// Signs mails with DKIM (RFC 6376): a cryptographic signature of the sender's domain, which receiving servers verify.
// `signature.ts` adds the footer.
import { createPrivateKey } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import MessageParser from 'nodemailer/lib/dkim/message-parser.js'
import RelaxedBody from 'nodemailer/lib/dkim/relaxed-body.js'
import sign from 'nodemailer/lib/dkim/sign.js'
import { notConfigured } from '#core/failure'
import type { Env } from './bindings.ts'

/** The domain, the selector of the public key in its DNS, and the private key for DKIM signatures. */
interface Signer {
  domain: string
  selector: string
  /** Private RSA key in PEM. */
  key: string
}

const names = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const

/**
 * The header fields that a signature covers, if the mail has them (RFC 6376, section 5.4.1; List-Unsubscribe-Post: RFC 8058,
 * section 4).
 */
const signedHeaders = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'Cc', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'Content-ID', 'Content-Description', 'In-Reply-To', 'References', 'List-Id'],
  ...['List-Help', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Subscribe', 'List-Post', 'List-Owner'],
  ...['List-Archive', 'OTP-Token'],
]

/** The configured signer; `undefined` if DKIM is not configured. Throws 503 if the configuration is incomplete or invalid. */
export function signerOf(env: Env): Signer | undefined {
  const missing = names.filter((name) => !env[name])
  if (missing.length === names.length) return undefined
  if (missing.length > 0) throw notConfigured(`Set ${missing.join(' and ')}, since the rest of DKIM is set.`)
  const [domain, selector, pem] = names.map((name) => env[name]!) as [string, string, string]
  if (![domain, selector].every((name) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name)))
    throw notConfigured('DKIM_DOMAIN and DKIM_SELECTOR must be valid DNS names.')
  const key = pem.replaceAll('\\n', '\n')
  if (!isRsa(key)) throw notConfigured('DKIM_PRIVATE_KEY must be an RSA private key in PEM format.')
  return { domain, selector, key }
}

function isRsa(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/**
 * Computes the DKIM-Signature header of a message (RFC 6376, rsa-sha256, relaxed/relaxed). Reads the whole message, since the
 * header contains a hash of it and must stand before it.
 */
export async function dkimHeaderOf(message: AsyncIterable<string>, { domain, selector, key }: Signer): Promise<string> {
  const parser = new MessageParser()
  const body = new RelaxedBody({ hashAlgo: 'sha256' })
  let headers: Parameters<typeof sign>[0] = []
  let hash = ''
  parser.on('headers', (parsed) => {
    headers = parsed
  })
  body.on('hash', (value: string) => {
    hash = value
  })
  await pipeline(message, parser, body.resume())
  const headerFieldNames = signedHeaders.join(':')
  const keyOf = { domainName: domain, keySelector: selector, privateKey: key }
  const line = sign(headers, 'sha256', hash, { ...keyOf, headerFieldNames })
  if (!line) throw new Error('The message could not be signed')
  return `${line}\r\n`
}
