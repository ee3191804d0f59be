// Encodes a message for the SMTP command DATA, with dot stuffing.

/** Text is buffered up to this length before it is written. */
const bufferCharacters = 64 * 1024

const end = '\r\n'

/**
 * Doubles a dot at the beginning of a line, and appends the line with a single dot (RFC 5321, section 4.5.2). The message must
 * have CRLF line breaks and may come in chunks of any length.
 */
export async function* encodeData(message: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const chunk of message) {
    text += chunk
    if (text.length < bufferCharacters) continue
    // Each written chunk must begin at the start of a line.
    const whole = text.lastIndexOf(end) + end.length
    if (whole < end.length) continue
    yield encoder.encode(stuff(text.slice(0, whole)))
    text = text.slice(whole)
  }
  yield encoder.encode(`${stuff(text)}${text === '' || text.endsWith(end) ? '' : end}.${end}`)
}

const encoder = new TextEncoder()

const stuff = (lines: string) => (lines.startsWith('.') ? '.' : '') + lines.replaceAll('\r\n.', '\r\n..')
