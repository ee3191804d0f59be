// Tests the protocol of resumable uploads, tus 1.0: headers, errors and expiry.
import { describe, expect, it } from 'vitest'
import { fixture } from '../support/media/clips.ts'
import { invalidParameters, mediaOn, nothing, refusal, unknownDigest } from './support.ts'
import { digestOf, pathOf, tusClient, uploadStateOf } from './tus-client.ts'

const fresh = (given = {}) => {
  const media = mediaOn(given)
  return { media, ...tusClient(media) }
}
const { media, send, create, begin, patch, head } = fresh()

const offsets = { 'content-type': 'application/offset+octet-stream' }

describe('tus', () => {
  it('returns its capabilities to a client of any version', async () => {
    const scopes = JSON.stringify({ large: { video_max_filesize: 5_000_000 } })
    const { status, headers } = await fresh({ UPLOAD_SCOPES: scopes }).send('OPTIONS', '/tus', { 'tus-resumable': '9' })
    expect(status).toBe(204)
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,expiration,termination',
      'tus-max-size': '5120000000',
    })
  })

  it('returns its capabilities to a browser of another origin', async () => {
    const preflight = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'tus-resumable' }
    const { media } = fresh({ CORS_ORIGINS: 'https://shop.example' })
    const headers = { origin: 'https://shop.example', ...preflight }
    for (const path of ['/tus', `/tus/${unknownDigest}`]) {
      const response = await media.fetch(path, { method: 'OPTIONS', headers })
      expect([path, response.status]).toEqual([path, 204])
      expect(response.headers.get('access-control-allow-methods')).toContain('PATCH')
      expect(response.headers.get('access-control-allow-headers')).toContain('tus-resumable')
    }
    const response = await media.fetch('/tus', { method: 'POST', headers: { origin: 'https://shop.example' } })
    expect(response.headers.get('access-control-expose-headers')).toContain('Upload-Offset')
  })

  it('supports one version', async () => {
    const path = await begin(5)
    for (const [method, at] of [
      ['POST', '/tus'],
      ['HEAD', path],
      ['PATCH', path],
      ['DELETE', path],
    ] as const) {
      for (const version of ['', '0.2.2', '1.0']) {
        const { status, headers } = await send(method, at, { 'tus-resumable': version, 'upload-length': '5' })
        expect([method, version, status, headers.get('tus-version')]).toEqual([method, version, 412, '1.0.0'])
      }
    }
    expect(uploadStateOf(await head(path))).toEqual({ status: 200, offset: '0', digest: null })
  })

  it('creates an item from an upload', async () => {
    const { media, create, head, patch } = fresh()
    const created = await create(5, { filename: 'Note.TXT', kind: 'file' })
    expect(uploadStateOf(created)).toEqual({ status: 201, offset: '0', digest: null })
    expect(created.headers.get('tus-resumable')).toBe('1.0.0')
    expect(created.headers.get('location')).toMatch(/^http:\/\/media\.test\/tus\/[\w.]+$/)
    expect(Date.parse(created.headers.get('upload-expires')!)).toBeGreaterThan(Date.now())
    const path = pathOf(created)

    const empty = await head(path)
    expect(uploadStateOf(empty)).toEqual({ status: 200, offset: '0', digest: null })
    expect([empty.headers.get('upload-length'), empty.headers.get('cache-control')]).toEqual(['5', 'no-store'])
    expect(empty.headers.get('upload-metadata')).toBe(`filename ${btoa('Note.TXT')},kind ${btoa('file')}`)

    const first = await patch(path, 0, 'he')
    expect(uploadStateOf(first)).toEqual({ status: 204, offset: '2', digest: null })
    expect([first.headers.get('tus-resumable'), first.headers.has('upload-expires')]).toEqual(['1.0.0', true])
    expect(uploadStateOf(await head(path))).toEqual({ status: 200, offset: '2', digest: null })

    const digest = digestOf(path)
    expect(uploadStateOf(await patch(path, 2, 'llo'))).toEqual({ status: 204, offset: '5', digest })
    expect(uploadStateOf(await head(path))).toEqual({ status: 200, offset: '5', digest })
    expect(await media.ask('GET', `/file/${digest}/info`)).toMatchObject({
      json: { status: true, digest, name: 'Note', extension: 'txt', mimetype: 'text/plain', size: 5 },
    })
    expect(new TextDecoder().decode(await media.bytesOf(`/file/${digest}`))).toBe('hello')
    expect((await media.left()).pendingUploads).toEqual([])
  })

  it('accepts the first bytes with the creation', async () => {
    const some = await create(5, {}, offsets, 'he')
    expect(uploadStateOf(some)).toEqual({ status: 201, offset: '2', digest: null })
    expect(uploadStateOf(await patch(pathOf(some), 2, 'llo'))).toMatchObject({ status: 204, offset: '5' })

    const all = await create(5, {}, offsets, 'hello')
    expect(uploadStateOf(all)).toEqual({ status: 201, offset: '5', digest: digestOf(pathOf(all)) })
    expect(uploadStateOf(await create(5, {}, { 'content-type': 'text/plain' }, 'hello'))).toMatchObject({ offset: '0' })
  })

  it('creates an empty item', async () => {
    const created = await create(0, { filename: 'empty.txt' })
    const digest = digestOf(pathOf(created))
    expect(uploadStateOf(created)).toEqual({ status: 201, offset: '0', digest })
    expect(await media.ask('GET', `/file/${digest}/info`)).toMatchObject({ json: { size: 0, name: 'empty' } })
    expect(uploadStateOf(await patch(pathOf(created), 0))).toEqual({ status: 204, offset: '0', digest })
  })

  it.each([
    [{ 'upload-length': '' }, invalidParameters('upload-length')],
    [{ 'upload-length': '-1' }, invalidParameters('upload-length')],
    [{ 'upload-length': '1.5' }, invalidParameters('upload-length')],
    [{ 'upload-length': '1e3' }, invalidParameters('upload-length')],
    [{ 'upload-length': '0x10' }, invalidParameters('upload-length')],
    [{ 'upload-length': '9'.repeat(30) }, invalidParameters('upload-length')],
    [{ 'upload-defer-length': '1' }, invalidParameters('Upload-Defer-Length')],
    [{ 'upload-length': '102401' }, refusal(413, 'payload_too_large')],
    [{ 'upload-metadata': 'filename !!' }, invalidParameters('Upload-Metadata')],
    [{ 'upload-metadata': 'filename /w==' }, invalidParameters('Upload-Metadata')],
    [{ 'upload-metadata': `kind ${btoa('music')}` }, invalidParameters('Upload-Metadata')],
    [{ 'upload-metadata': 'kind' }, invalidParameters('Upload-Metadata')],
    [{ 'upload-metadata': `filename ${btoa('n'.repeat(5000))}` }, invalidParameters('Upload-Metadata')],
    [{ 'upload-metadata': `scope ${btoa('none')}` }, invalidParameters('scope')],
    [{ 'upload-metadata': `scope ${btoa('__proto__')}` }, invalidParameters('scope')],
  ])('rejects %o', async (headers, answer) => {
    const { media, create } = fresh({ UPLOAD_MAX_FILESIZE: '100' })
    const created = await create(5, {}, headers as Record<string, string>, 'hello')
    expect(created).toMatchObject(answer)
    expect(created.headers.get('tus-resumable')).toBe('1.0.0')
    expect(await media.left()).toEqual(nothing)
  })

  it.each([
    ['', 'file'],
    ['filename', 'file'],
    [' , ,', 'file'],
    [`filename ${btoa('a.txt')},is_confidential`, 'a'],
    [`filename ${btoa('../../a.txt')}, x ${btoa('y')}`, 'a'],
    [`filename ${new TextEncoder().encode('😀.txt').toBase64()}`, '😀'],
    [`__proto__ ${btoa('x')},filename ${btoa('b.txt')}`, 'b'],
  ])('parses the metadata "%s"', async (text, name) => {
    const created = await create(1, {}, { 'upload-metadata': text, ...offsets }, 'x')
    expect(await media.ask('GET', `/file/${digestOf(pathOf(created))}/info`)).toMatchObject({ json: { name } })
  })

  it('applies the limits of the scope', async () => {
    const UPLOAD_SCOPES = JSON.stringify({ small: { file_max_filesize: 1 }, large: { file_max_filesize: 300 } })
    const { create } = fresh({ UPLOAD_SCOPES, UPLOAD_MAX_FILESIZE: '100' })
    const cases: [number, Record<string, string>, number][] = [
      [1024, { scope: 'small' }, 201],
      [1025, { scope: 'small' }, 413],
      [102_400, {}, 201],
      [102_401, {}, 413],
      [102_401, { scope: 'small', kind: 'audio' }, 413],
      [307_200, { scope: 'large' }, 201],
      [307_201, { scope: 'large' }, 413],
    ]
    for (const [size, about, status] of cases)
      expect([size, (await create(size, about)).status]).toEqual([size, status])
    const broken = fresh({ UPLOAD_SCOPES: '{' })
    expect(await broken.create(1, { scope: 'a' })).toMatchObject(refusal(503, 'not_configured'))
    expect(await broken.media.left()).toEqual(nothing)
  })

  it('rejects bytes at a wrong offset, of another type, or past the length', async () => {
    const path = await begin(5)
    await patch(path, 0, 'he')
    const mismatch = refusal(409, 'offset_mismatch')
    for (const offset of [0, 1, 3, 5, 9]) expect(await patch(path, offset, 'llo')).toMatchObject(mismatch)
    expect((await patch(path, 0, 'x')).headers.get('tus-resumable')).toBe('1.0.0')
    for (const offset of ['', '-1', 'x', '2.0'])
      expect(await patch(path, 2, 'llo', { 'upload-offset': offset })).toMatchObject(invalidParameters('upload-offset'))
    for (const type of ['', 'text/plain', 'application/octet-stream'])
      expect(await patch(path, 2, 'llo', { 'content-type': type })).toMatchObject(
        refusal(415, 'unsupported_media_type'),
      )
    expect(await patch(path, 2, 'llo!')).toMatchObject(refusal(413, 'payload_too_large'))
    expect(uploadStateOf(await head(path))).toEqual({ status: 200, offset: '2', digest: null })
    expect(uploadStateOf(await patch(path, 2, 'llo'))).toMatchObject({ status: 204, offset: '5' })
  })

  it('replies 404 for an unknown upload', async () => {
    const path = `/tus/${unknownDigest}`
    const unknown = refusal(404, 'upload_not_found')
    expect((await head(path)).status).toBe(404)
    expect(await send('GET', path)).toMatchObject(unknown)
    expect(await patch(path, 0, 'x')).toMatchObject(unknown)
    expect(await send('DELETE', path)).toMatchObject(unknown)
    expect((await send('DELETE', path)).headers.get('tus-resumable')).toBe('1.0.0')
    expect(await patch('/tus/a%20b', 0, 'x')).toMatchObject(invalidParameters('digest'))
  })

  it('terminates an upload, and keeps its item', async () => {
    const { media, create, send, head } = fresh()
    const path = pathOf(await create(5, {}, offsets, 'he'))
    expect(uploadStateOf(await send('DELETE', path))).toMatchObject({ status: 204 })
    expect((await head(path)).status).toBe(404)
    expect(await media.left()).toEqual(nothing)

    const whole = pathOf(await create(5, {}, offsets, 'hello'))
    expect((await send('DELETE', whole)).status).toBe(204)
    expect((await send('DELETE', whole)).status).toBe(404)
    expect((await media.fetch(`/file/${digestOf(whole)}`)).status).toBe(200)
  })

  it('handles a POST as the overriding method', async () => {
    const path = await begin(5)
    const as = (method: string, headers = {}, body?: string) =>
      send('POST', path, { 'x-http-method-override': method, ...headers }, body)
    const bytes = { ...offsets, 'upload-offset': '0' }
    expect(uploadStateOf(await as('PATCH', bytes, 'he'))).toEqual({ status: 204, offset: '2', digest: null })
    expect(uploadStateOf(await as('head'))).toEqual({ status: 200, offset: '2', digest: null })
    expect((await as('DELETE')).status).toBe(204)
    expect((await head(path)).status).toBe(404)
    for (const other of ['PUT', '', 'constructor'])
      expect(await as(other)).toMatchObject(refusal(400, 'validation_failed'))
  })

  it('accepts images, videos and audio', async () => {
    for (const [kind, name] of [
      ['image', 'still.png'],
      ['audio', 'tone.wav'],
      ['video', 'film.mov'],
    ] as const) {
      const bytes = await fixture(name)
      const path = pathOf(await create(bytes.length, { kind, filename: name }, offsets, bytes))
      const { json } = await media.ask('GET', `/${kind}/${digestOf(path)}/info`)
      expect([json.status, json.name]).toEqual([true, name.split('.')[0]])
      expect(uploadStateOf(await head(path))).toMatchObject({ digest: digestOf(path) })
      expect((await media.ask('DELETE', `/${kind}/${digestOf(path)}`)).status).toBe(200)
    }
  })

  it.each(['image', 'video', 'audio'])('refuses a text as %s when it is whole, and keeps nothing', async (kind) => {
    const { media, begin, patch, head } = fresh()
    const path = await begin(5, { kind, filename: 'a.png' })
    expect((await patch(path, 0, 'hel')).status).toBe(204)
    const refused = await patch(path, 3, 'lo')
    expect(refused).toMatchObject(refusal(415, 'unsupported_media_type'))
    expect(refused.headers.get('tus-resumable')).toBe('1.0.0')
    expect((await head(path)).status).toBe(404)
    expect(await media.left()).toEqual(nothing)
  })
})
