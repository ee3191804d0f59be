// Parses the replies of an SMTP server, and converts them to the format in which the email API shows them.
import { masked } from '#core/masking/card-numbers'

/** A reply of an SMTP server (RFC 5321, section 4.2). */
export interface SmtpReply {
  code: number
  /** The text of each line of the reply, without the code. */
  lines: string[]
}

/**
 * A reply of the SMTP server in the API's format. Addresses in the text are masked, but it is written by
 * others, so it must not appear in logs or error messages.
 */
export interface ServerReply {
  code: number
  /** The enhanced status code (RFC 3463), such as `5.1.1`; null if the server sent none. */
  enhanced: string | null
  text: string
}

const maxTextCharacters = 1_000

const enhancedCode = /^([245]\.\d{1,3}\.\d{1,3})(?:\s+|$)/

/** Text is cut to this length before addresses are masked, which bounds the work. */
const maxScannedCharacters = 4_000

const address = /[^\s<>@]{1,320}@[^\s<>@]{1,320}/g

/**
 * Converts a reply to the API's format: masks addresses, separates the enhanced status code (RFC 2034) from the text, and replaces control
 * characters, which could break the reader's terminal or log.
 */
export function toServerReply({ code, lines }: SmtpReply): ServerReply {
  const said = lines.map((line) => line.replace(enhancedCode, '')).join('\n')
  const text = said
    .slice(0, maxScannedCharacters)
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(address, masked)
    .slice(0, maxTextCharacters)
    .trim()
  return { code, enhanced: enhancedCode.exec(lines[0] ?? '')?.[1] ?? null, text }
}

const line = /([2-5]\d\d)(?:([ -])([^\r\n]*))?\r?\n/y

/**
 * Parses the reply at the beginning of the received text. Returns the reply and the index at which it ends, or undefined if
 * more text is needed. Throws a `SyntaxError` if the text is not an SMTP reply.
 */
export function parseReply(text: string): { reply: SmtpReply; end: number } | undefined {
  const lines: string[] = []
  for (let at = 0; text.indexOf('\n', at) !== -1; at = line.lastIndex) {
    line.lastIndex = at
    const [, code, mark, said = ''] = line.exec(text) ?? []
    if (!code) throw new SyntaxError('Not a reply of SMTP')
    lines.push(said)
    if (mark !== '-') return { reply: { code: Number(code), lines }, end: line.lastIndex }
  }
  return undefined
}
