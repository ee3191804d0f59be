// The commands of SMTP AUTH (RFC 4954) with PLAIN, LOGIN and XOAUTH2.
import type { SmtpCredentials } from './server.ts'

/**
 * The lines that log in, by the methods that the server offers. Undefined if it offers none that fits: XOAUTH2 for an access
 * token, PLAIN or LOGIN for a password.
 */
export function loginLines(credentials: SmtpCredentials, methods: string[]): string[] | undefined {
  const { user } = credentials
  if ('token' in credentials) {
    const line = base64(`user=${user}\x01auth=Bearer ${credentials.token}\x01\x01`)
    return methods.includes('XOAUTH2') ? [`AUTH XOAUTH2 ${line}`] : undefined
  }
  const { pass } = credentials
  if (methods.includes('PLAIN')) return [`AUTH PLAIN ${base64(`\0${user}\0${pass}`)}`]
  return methods.includes('LOGIN') ? ['AUTH LOGIN', base64(user), base64(pass)] : undefined
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
