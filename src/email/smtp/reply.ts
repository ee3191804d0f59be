/** What an SMTP server answers (RFC 5321, section 4.2). */
export interface SmtpReply {
  code: number
  /** What each of its lines says after the code. */
  lines: string[]
}

/** A reply as callers see it. Its text may contain addresses: it belongs into no log and no error message. */
export interface ServerReply {
  code: number
  /** The enhanced status code (RFC 3463), such as `5.1.1`; null if the server sent none. */
  enhanced: string | null
  text: string
}

const maxTextCharacters = 1_000

const enhancedCode = /^([245]\.\d{1,3}\.\d{1,3})(?:\s+|$)/

/** A reply with its enhanced status code (RFC 2034) split off each line, and its text without control characters. */
export function toServerReply({ code, lines }: SmtpReply): ServerReply {
  const said = lines.map((line) => line.replace(enhancedCode, '')).join('\n')
  const text = said
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .slice(0, maxTextCharacters)
    .trim()
  return { code, enhanced: enhancedCode.exec(lines[0] ?? '')?.[1] ?? null, text }
}

const line = /([2-5]\d\d)(?:([ -])([^\r\n]*))?\r?\n/y

/**
 * The reply that a text begins with, and where it ends; nothing while it is not there as a whole. Throws a `SyntaxError`
 * for what is none.
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
