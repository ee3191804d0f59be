/** Whether a text is base64 (RFC 4648, section 4), padded, without anything between. */
export const isBase64 = (text: string) =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingOf(text)))

/** How many bytes base64 stands for. */
export const sizeOfBase64 = (text: string) => (text.length / 4) * 3 - paddingOf(text)

const paddingOf = (text: string) => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

/** Characters that are decoded at once: whole lines of a message. */
const piece = 76 * 1024

/** The bytes that base64 stands for, in pieces. */
export function* decodeBase64(text: string): Generator<Buffer> {
  for (let at = 0; at < text.length; at += piece) yield Buffer.from(text.slice(at, at + piece), 'base64')
}
