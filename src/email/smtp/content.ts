/** Characters that are gathered before they are written. */
const enough = 64 * 1024

const end = '\r\n'

/**
 * A message as DATA takes it (RFC 5321, section 4.5.2): a dot more where a line begins with one, and the line at the end
 * that has a dot alone. The message has the line breaks of the Internet; it may come in pieces of any length.
 */
export async function* contentOf(message: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const piece of message) {
    text += piece
    if (text.length < enough) continue
    // What is written begins with a line.
    const whole = text.lastIndexOf(end) + end.length
    if (whole < end.length) continue
    yield encoder.encode(stuff(text.slice(0, whole)))
    text = text.slice(whole)
  }
  yield encoder.encode(`${stuff(text)}${text === '' || text.endsWith(end) ? '' : end}.${end}`)
}

const encoder = new TextEncoder()

const stuff = (lines: string) => (lines.startsWith('.') ? '.' : '') + lines.replaceAll('\r\n.', '\r\n..')
