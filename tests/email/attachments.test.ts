// Tests attachments and inline pictures, from the request and from the media component.
import { describe, expect, it } from 'vitest'
import { sender, senderTo } from './support.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i)
const noise = (size: number) => Uint8Array.from({ length: size }, (_, i) => (i * 2_654_435_761) >>> (i % 24))
const inBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const bytesOf = (content: unknown) => Buffer.from(content as ArrayBuffer)

describe('an attachment', () => {
  it.each([
    ['with no bytes', new Uint8Array()],
    ['with one byte', noise(1)],
    ['with every byte value', everyByte],
    ['with one full base64 line', noise(57)],
    ['with one base64 line and a byte', noise(58)],
    ['with one full decoding chunk', noise(57 * 1_000)],
    ['with one decoding chunk and a byte', noise(57 * 1_000 + 1)],
    ['with 10 MB', noise(10_000_000)],
  ])('%s arrives byte for byte', async (_, bytes) => {
    const { through } = await senderTo()
    const mail = await through({ attachments: [{ filename: 'a.bin', content: inBase64(bytes) }] })
    expect(mail.attachments).toMatchObject([
      { filename: 'a.bin', mimeType: 'application/octet-stream', disposition: 'attachment' },
    ])
    expect(bytesOf(mail.attachments[0]!.content).equals(bytes)).toBe(true)
    expect(mail.source.split('\r\n').filter((line) => line.length > 998)).toEqual([])
  })

  it.each([
    ['report.pdf', undefined, 'application/pdf'],
    ['report.pdf', 'application/x-report; v="1"', 'application/x-report'],
    ['page.html', undefined, 'text/html'],
    ['mail.eml', undefined, 'application/octet-stream'],
    ['no extension', undefined, 'application/octet-stream'],
  ])('%s of type %s is %s', async (filename, content_type, mimeType) => {
    const { through } = await senderTo()
    const mail = await through({ attachments: [{ filename, content: inBase64(everyByte), content_type }] })
    expect(mail.attachments).toMatchObject([{ filename, mimeType }])
    expect(bytesOf(mail.attachments[0]!.content).equals(everyByte)).toBe(true)
  })

  it('is an inline picture in the html', async () => {
    const { through } = await senderTo()
    const mail = await through({
      html: '<img src="cid:logo@shop">',
      attachments: [{ filename: 'logo.png', content: inBase64(everyByte), cid: 'logo@shop' }],
    })
    expect(mail.attachments).toMatchObject([
      { filename: 'logo.png', mimeType: 'image/png', disposition: 'inline', related: true, contentId: '<logo@shop>' },
    ])
  })
})

interface File {
  bytes: Uint8Array
  type: string
  /** Number of bytes after which the file breaks off. */
  breaks?: number
}

/** Stands in for the media component: serves these files, and records the requests in `asked`. */
const media = (files: Record<string, File>, asked: string[] = []) =>
  ({
    fetch: async (url: string, { method = 'GET' }: RequestInit = {}) => {
      asked.push(`${method} ${url}`)
      const file = files[new URL(url).pathname.replace('/file/', '')]
      if (!file) return Response.json({ status: false, status_code: 'item_not_found' }, { status: 404 })
      const headers = { 'content-type': file.type, 'content-length': String(file.bytes.length) }
      return new Response(method === 'HEAD' ? null : streamOf(file), { headers })
    },
  }) as unknown as Fetcher

const streamOf = ({ bytes, breaks }: File) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length && at < (breaks ?? bytes.length); at += 1_000)
        controller.enqueue(bytes.subarray(at, at + 1_000))
      if (breaks === undefined) controller.close()
      else controller.error(new Error('The file broke off'))
    },
  })

describe('an attachment from the media service', () => {
  const bytes = noise(100_001)

  it('arrives byte for byte, with the media type of the file', async () => {
    const requests: string[] = []
    const { through } = await senderTo({}, { MEDIA: media({ abc: { bytes, type: 'image/webp' } }, requests) })
    const mail = await through({ attachments: [{ filename: 'a.png', digest: 'abc' }] })
    expect(mail.attachments).toMatchObject([{ filename: 'a.png', mimeType: 'image/webp' }])
    expect(bytesOf(mail.attachments[0]!.content).equals(bytes)).toBe(true)
    expect(requests).toEqual(['HEAD http://media/file/abc', 'GET http://media/file/abc'])
  })

  it('has the requested media type, and no message type', async () => {
    const { through } = await senderTo({}, { MEDIA: media({ abc: { bytes, type: 'message/rfc822' } }) })
    const attachments = [
      { filename: 'a', digest: 'abc' },
      { filename: 'b', digest: 'abc', content_type: 'text/x' },
    ]
    const mail = await through({ attachments })
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/octet-stream', 'text/x'])
  })

  it('that does not exist is refused by position, and nothing is sent', async () => {
    const { send, see } = await senderTo({}, { MEDIA: media({ abc: { bytes, type: 'image/webp' } }) })
    const attachments = [
      { filename: 'a', digest: 'abc' },
      { filename: 'b', digest: 'xyz' },
    ]
    expect(await send({ attachments })).toMatchObject({
      status: 400,
      json: {
        status_code: 'validation_failed',
        errors: { 'attachments.1.digest': 'attachments.1.digest must be the digest of a file of the media component.' },
      },
    })
    expect(await see()).toMatchObject({ connections: 0 })
  })

  it('is refused if the attachments together are too large', async () => {
    const MEDIA = media({ abc: { bytes: new Uint8Array(13_000_000), type: 'image/webp' } })
    const { send, see } = await senderTo({}, { MEDIA })
    expect(
      await send({
        attachments: [
          { filename: 'a', digest: 'abc' },
          { filename: 'b', digest: 'abc' },
        ],
      }),
    ).toMatchObject({
      status: 413,
      json: { status_code: 'payload_too_large' },
    })
    expect(await see()).toMatchObject({ connections: 0 })
  })

  it('is refused while the service is down, and nothing is sent', async () => {
    const down = { fetch: async () => new Response(null, { status: 503 }) } as unknown as Fetcher
    const { send, see } = await senderTo({}, { MEDIA: down })
    expect(await send({ attachments: [{ filename: 'a', digest: 'abc' }] })).toMatchObject({
      status: 502,
      json: { status_code: 'media_failed' },
    })
    expect(await see()).toMatchObject({ connections: 0 })
  })

  it('that breaks off aborts the mail, and the server accepts nothing', async () => {
    const MEDIA = media({ abc: { bytes, type: 'image/webp', breaks: 50_000 } })
    const { send, see } = await senderTo({}, { MEDIA })
    const key = crypto.randomUUID()
    const attachments = [{ filename: 'a', digest: 'abc' }]
    for (let repeat = 1; repeat <= 2; repeat++) {
      expect(await send({ attachments }, key)).toMatchObject({ status: 502, json: { status_code: 'media_failed' } })
      expect(await see()).toMatchObject({ connections: repeat, mails: [] })
    }
  })

  it('requires a media service', async () => {
    const { send } = sender({ SMTP_HOST: '127.0.0.1', MEDIA: undefined } as never)
    expect(await send({ attachments: [{ filename: 'a', digest: 'abc' }] })).toMatchObject({
      status: 503,
      json: { status_code: 'not_configured' },
    })
  })
})
