// Tests that a mail is not sent with a truncated attachment if the media component fails while it is read.
import { expect, it } from 'vitest'
import { senderTo } from './support.ts'

/** A media component whose file breaks off after its first part. */
const broken = {
  fetch: async (_: string, { method = 'GET' }: RequestInit = {}) => {
    const headers = { 'content-type': 'image/png', 'content-length': '1000000' }
    if (method === 'HEAD') return new Response(null, { headers })
    const pieces = [new Uint8Array(500_000)]
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const piece = pieces.pop()
      if (piece) controller.enqueue(piece)
      else controller.error(new Error('Network connection lost.'))
    }
    return new Response(new ReadableStream({ pull }), { headers })
  },
}

it('sends no mail with a truncated attachment, and sends it on retry', async () => {
  const server = await senderTo({}, { MEDIA: broken as unknown as Fetcher })
  const attachments = [{ filename: 'a.png', digest: 'abc' }]
  for (let repeat = 0; repeat < 2; repeat++) {
    const { status, json } = await server.send({ attachments }, 'half a file')
    expect({ status, json }).toMatchObject({ status: 502, json: { status_code: 'media_failed' } })
  }
  expect((await server.see()).mails).toEqual([])
})
