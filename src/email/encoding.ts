import { encodeWord } from 'nodemailer/lib/mime-funcs'
import { encode, wrap } from 'nodemailer/lib/qp'
import { wrapBase64 } from './base64.ts'

/** Words that need no encoding, of a length that lets a line be folded, with single spaces between. */
const plainLine = /^[!-~]{1,70}( [!-~]{1,70})*$/

/** Text for a header (RFC 2047), so that it is read as it was written: what looks like encoded words is encoded, too. */
export const encodeLine = (text: string) =>
  plainLine.test(text) && !text.includes('=?') ? text : encodeWord(text, isLatin(text) ? 'Q' : 'B', 52)

/** Lines of no more than 76 printable characters, tabs among them, and none that a server could take for another's. */
const plainText = /^(?:[\t -~]{0,76}\r\n)*[\t -~]{0,76}$/

/** Text for the body of a part (RFC 2045), its line breaks those of the Internet: a lone CR would be one to some, and none to others. */
export function encodeText(given: string): { encoding: '7bit' | 'quoted-printable' | 'base64'; content: string } {
  const text = given.replace(/\r\n?|\n/g, '\r\n')
  if (plainText.test(text)) return { encoding: '7bit', content: text }
  if (isLatin(text)) return { encoding: 'quoted-printable', content: wrap(encode(text), 76) }
  return { encoding: 'base64', content: [...wrapBase64(Buffer.from(text).toString('base64'))].join('') }
}

const isLatin = (text: string) => (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) < text.length / 3
