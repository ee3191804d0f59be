// Tests uploads by form: sizes, names, errors and memory.
import { describe, expect, it } from 'vitest'
import { partBytes as part } from '#media/stream-upload'
import { databases } from '../support/databases.ts'
import { fixture } from '../support/media/clips.ts'
import {
  answered,
  bound,
  invalidParameters,
  type Media,
  mediaOn,
  noise,
  nothing,
  otherwise,
  refusal,
  sha,
} from './support.ts'

const boundary = 'x-boundary'
const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const start = (name = 'file', filename = 'a.txt') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n`
const end = `\r\n--${boundary}--\r\n`

/** Escapes a file name as browsers do in a form (HTML Standard, 4.10.21.8). */
const escaped = (filename: string) => filename.replace(/["\r\n]/g, (char) => encodeURIComponent(char))

/** Makes a request body whose chunks are made when they are read. After the last chunk it ends, or fails with `failure`. */
function pieces(sent: Iterable<Uint8Array | string>, failure?: Error) {
  const from = sent[Symbol.iterator]()
  return new ReadableStream(
    {
      type: 'bytes',
      pull(controller) {
        const { done, value } = from.next()
        // Copies the chunk, since the stream detaches the buffer of an enqueued one.
        if (!done)
          return controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value.slice())
        return failure ? controller.error(failure) : controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

const send = ({ fetch }: Media, kind: string, body: BodyInit) =>
  answered(fetch(`/${kind}`, { method: 'POST', headers, body }))

describe.each(databases)('an upload on $dialect', (database) => {
  const fresh = (given = {}) => mediaOn({ DB: undefined as never, ...database, ...given })
  const media = fresh()

  it.each([
    ['say "hi".txt', 'say "hi"', 'txt'],
    ['../../etc/passwd', 'passwd', ''],
    ['C:\\temp\\a.b.TXT', 'a.b', 'txt'],
    ['a\r\nX-Evil: 1.txt', 'aX-Evil: 1', 'txt'],
    ['😀 é.txt', '😀 é', 'txt'],
    [`${'n'.repeat(300)}.txt`, 'n'.repeat(255), 'txt'],
    ['.htaccess', '.htaccess', ''],
    ['no extension', 'no extension', ''],
    ['тест.csv', 'тест', 'csv'],
    ['50%.txt', '50%', 'txt'],
  ])('of %j keeps its name', async (filename, name, extension) => {
    const { status, json } = await send(media, 'file', pieces([start('file', escaped(filename)), 'hello', end]))
    expect([status, json.name, json.extension]).toEqual([200, name, extension])
    const download = await media.fetch(`/file/${json.digest}`)
    expect(await download.text()).toBe('hello')
    expect(download.headers.get('content-disposition')).toMatch(/^inline; filename/)
    expect(download.headers.get('x-evil')).toBeNull()
  })

  it.each([0, 1, part - 1, part, part + 1, 2 * part, 2 * part + part / 2])('of %i bytes is stored', async (size) => {
    const bytes = noise(size, size)
    const { json } = await media.upload('file', bytes, { filename: 'a.bin' })
    expect(json).toMatchObject({ status: true, size })
    expect(await sha(await media.bytesOf(`/file/${json.digest}`))).toBe(await sha(bytes))
    const { uploads, pendingUploads } = await media.left()
    expect([uploads, pendingUploads]).toEqual([[], []])
  })

  it.each([
    ['without a file', [`--${boundary}--\r\n`], invalidParameters('file')],
    ['with a file of another name', [start('other'), 'x', end], invalidParameters('file')],
    ['with two files', [start(), 'x\r\n', start(), 'y', end], invalidParameters('file')],
    ['with another file after 9 MB', [start(), noise(9_000_000), '\r\n', start(), 'y', end], invalidParameters('file')],
    ['that ends in a header', [`--${boundary}\r\nContent-`], refusal(400, 'invalid_form')],
    ['that ends in its file', [start(), 'hello'], refusal(400, 'invalid_form')],
    ['that ends after 20 MB', [start(), noise(20_000_000)], refusal(400, 'invalid_form')],
    ['that has no form', ['hello'], refusal(400, 'invalid_form')],
    ['that has nothing', [], refusal(400, 'invalid_form')],
  ])('%s leaves nothing behind', async (_, sent, answer) => {
    const media = fresh()
    expect(await send(media, 'file', pieces(sent))).toMatchObject(answer)
    expect(await media.left()).toEqual(nothing)
  })

  it.each([
    ['a little', [start(), 'hello']],
    ['20 MB', [start(), noise(20_000_000)]],
    ['all but the last boundary', [start(), 'x\r\n--x-boundary']],
  ])('that breaks after %s leaves nothing behind', async (_, sent) => {
    const media = fresh()
    expect(await send(media, 'file', pieces(sent, new Error('gone')))).toMatchObject(refusal(400, 'invalid_form'))
    expect(await media.left()).toEqual(nothing)
  })

  it.each([
    ['image', 'a.png', 'hello', 415],
    ['image', 'a.png', '', 400],
    ['video', 'a.mp4', 'hello', 415],
    ['video', 'a.mp4', '', 400],
    ['audio', 'a.mp3', 'hello', 415],
    ['audio', 'a.mp3', '', 400],
  ])('as %s of %s with %j in it leaves nothing behind', async (kind, filename, bytes, status) => {
    const media = fresh()
    expect(await media.upload(kind, bytes, { filename })).toMatchObject({ status })
    expect(await media.left()).toEqual(nothing)
  })

  it('of another kind than its name says leaves nothing behind', async () => {
    const media = fresh()
    const [picture, tone] = [await fixture('still.png'), await fixture('tone.wav')]
    const unsupported = refusal(415, 'unsupported_media_type')
    expect(await media.upload('image', tone, { filename: 'a.png' })).toMatchObject(unsupported)
    expect(await media.upload('video', picture, { filename: 'a.mp4' })).toMatchObject(unsupported)
    expect(await media.upload('audio', picture, { filename: 'a.mp3' })).toMatchObject(unsupported)
    expect(await media.upload('image', picture.slice(0, -20), { filename: 'a.png' })).toMatchObject(
      invalidParameters('file'),
    )
    expect(await media.upload('image', picture.slice(0, 20), { filename: 'a.png' })).toMatchObject(
      invalidParameters('file'),
    )
    expect(await media.left()).toEqual(nothing)
  })

  it('needs the media type of a form', async () => {
    const media = fresh()
    for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=x'])
      expect(
        await answered(media.fetch('/file', { method: 'POST', headers: { 'content-type': type }, body: 'x' })),
      ).toMatchObject(refusal(415, 'unsupported_media_type'))
    expect(await media.ask('POST', '/file')).toMatchObject(refusal(415, 'unsupported_media_type'))
    const unbounded = { 'content-type': 'multipart/form-data' }
    expect(await answered(media.fetch('/file', { method: 'POST', headers: unbounded, body: 'x' }))).toMatchObject(
      refusal(400, 'invalid_form'),
    )
    expect(await media.left()).toEqual(nothing)
  })

  it.each([
    ['put', 'x'],
    ['createMultipartUpload', noise(9_000_000)],
  ])('fails with the %s of R2, and leaves nothing behind', async (method, bytes) => {
    const refuse = () => Promise.reject(new Error('out of order'))
    const media = fresh({ FILES: otherwise(bound.FILES, { [method]: refuse }) })
    expect(await media.upload('file', bytes)).toMatchObject(refusal(500, 'internal_error'))
    expect(await media.left()).toEqual(nothing)
  })

  it('fails if R2 rejects a part, and leaves nothing behind', async () => {
    const createMultipartUpload: R2Bucket['createMultipartUpload'] = async (key) => {
      const upload = await bound.FILES.createMultipartUpload(key)
      return otherwise(upload, { uploadPart: () => Promise.reject(new Error('out of order')) })
    }
    const media = fresh({ FILES: otherwise(bound.FILES, { createMultipartUpload }) })
    expect(await media.upload('file', noise(20_000_000))).toMatchObject(refusal(500, 'internal_error'))
    expect(await media.left()).toEqual(nothing)
  })
})

describe('a large upload', () => {
  it('is not held in memory', async () => {
    const size = 200 * 1024 * 1024
    const media = mediaOn({ UPLOAD_MAX_FILESIZE: String(size / 1024) })
    const piece = noise(1024 * 1024)
    function* sent() {
      yield start()
      for (let at = 0; at < size; at += piece.length) yield piece
      yield end
    }
    const { status, json } = await send(media, 'file', pieces(sent()))

    expect([status, json.size]).toEqual([200, size])
    const last = await media.bytesOf(`/file/${json.digest}`, { range: `bytes=-${piece.length}` })
    expect(await sha(last)).toBe(await sha(piece))
    expect(await media.ask('DELETE', `/file/${json.digest}`)).toMatchObject({ status: 200 })
    expect((await media.left()).objects).toEqual([])
  })
})
