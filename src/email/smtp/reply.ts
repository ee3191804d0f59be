/** What an SMTP server answers (RFC 5321, section 4.2). */
export interface Reply {
  code: number
  /** What each of its lines says after the code. */
  lines: string[]
}

const line = /([2-5]\d\d)(?:([ -])([^\r\n]*))?\r?\n/y

/**
 * The reply that a text begins with, and where it ends; nothing while it is not there as a whole. Throws a `SyntaxError`
 * for what is none.
 */
export function parseReply(text: string): { reply: Reply; end: number } | undefined {
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
