// Tests that the encoder for SMTP DATA keeps every message unchanged, however its text is split into chunks.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeData } from '#email/smtp/data-encoder'

/** Decodes a message as an SMTP server does (RFC 5321, section 4.5.2), after the encoder got it in these pieces. */
async function read(pieces: string[]): Promise<string> {
  const decoder = new TextDecoder()
  let sent = ''
  for await (const bytes of encodeData(
    async function* () {
      yield* pieces
    }.call(undefined),
  ))
    sent += decoder.decode(bytes, { stream: true })
  expect(sent).toMatch(/(^|\r\n)\.\r\n$/)
  return sent
    .slice(0, -3)
    .split('\r\n')
    .map((line) => line.replace(/^\./, ''))
    .join('\r\n')
}

const whole = (text: string) => (text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`)

const piece = fc.oneof(
  fc.constantFrom('\r\n', '.', '..', '\r\n.', '\r\n.\r\n', 'ж'),
  fc.string({ maxLength: 5 }).map((text) => text.replace(/[\r\n]/g, '')),
  fc.constantFrom('a', 'ж').map((letter) => letter.repeat(70_000)),
)

it('preserves the message for any chunking', async () => {
  const pieces = fc.array(piece, { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(pieces, async (given) => {
      expect(await read(given)).toBe(whole(given.join('')))
    }),
  )
})
