// Encodes a message for the SMTP command DATA. A line that begins with a dot gets a second dot, since a single dot ends the
// message.

/** Text is collected up to this length before it is sent, since many small writes would be slow. */
const bufferCharacters = 64 * 1024

const end = '\r\n'

/**
 * Doubles a dot at the beginning of a line, and ends the message with the line of a single dot (RFC 5321, section 4.5.2). The
 * message must have CRLF line breaks. Its chunks may have any length.
 */
export async function* encodeData(message: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const chunk of message) {
    text += chunk
    if (text.length < bufferCharacters) continue
    // Each written part must begin at the start of a line: `stuff` takes its first character for the start of a line.
    const whole = text.lastIndexOf(end) + end.length
    if (whole < end.length) continue
    yield encoder.encode(stuff(text.slice(0, whole)))
    text = text.slice(whole)
  }
  yield encoder.encode(`${stuff(text)}${text === '' || text.endsWith(end) ? '' : end}.${end}`)
}

const encoder = new TextEncoder()

const stuff = (lines: string) => (lines.startsWith('.') ? '.' : '') + lines.replaceAll('\r\n.', '\r\n..')
