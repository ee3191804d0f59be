// Tests the routes of the media API for each kind of item.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { fixture } from '../support/media/clips.ts'
import { type Answer, invalidParameters, mediaOn, nothing, refusal, unknownDigest } from './support.ts'

const base = 'http://media.test'

const text = (of: string) => new TextEncoder().encode(of)

/** A file of each kind, and the metadata that the API must return for it. */
const kinds = {
  file: {
    bytes: async () => text('hello'),
    filename: 'Note.TXT',
    told: (digest: string) => ({
      ...{ digest, name: 'Note', extension: 'txt', mimetype: 'text/plain', size: 5 },
      download: `${base}/file/${digest}`,
    }),
  },
  image: {
    bytes: () => fixture('still.png'),
    filename: 'still.png',
    told: (digest: string) => ({
      ...{ digest, name: 'still', extension: 'png', mimetype: 'image/png', size: expect.any(Number) },
      ...{ download: `${base}/file/${digest}`, thumbnail: `${base}/image/${digest}`, width: 64, height: 48 },
    }),
  },
  video: {
    bytes: () => fixture('film.mov'),
    filename: 'film.MOV',
    told: (digest: string) => ({
      ...{ digest, name: 'film', extension: 'mp4', mimetype: 'video/mp4', size: expect.any(Number) },
      ...{ download: `${base}/video/${digest}`, preview: `${base}/video/${digest}/preview` },
      ...{ duration: expect.stringMatching(/^\d+(\.\d{1,3})?$/), state: 'processing', progress: 0, failure: null },
      ...{ width: 64, height: 48 },
    }),
  },
  audio: {
    bytes: () => fixture('tone.wav'),
    filename: 'tone.wav',
    told: (digest: string) => ({
      ...{ digest, name: 'tone', extension: 'wav', mimetype: 'audio/wav', size: expect.any(Number), duration: '1' },
      download: `${base}/audio/${digest}`,
    }),
  },
}
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]

describe.each(databases)('media on $dialect', (database) => {
  const { ask, upload, fetch, left } = mediaOn({ DB: undefined as never, ...database })
  const store = async (kind: Kind) => {
    const { bytes, filename } = kinds[kind]
    return upload(kind, await bytes(), { filename })
  }

  describe.each(names)('a %s', (kind) => {
    it('is stored, described and deleted', async () => {
      const stored = await store(kind)
      const { digest } = stored.json
      expect(digest).toMatch(/^[0-9a-f]{8}\.[0-9A-Za-z]{15}$/)
      const reply = { status: 200, json: { status: true, ...kinds[kind].told(digest) } }
      expect(stored).toEqual({ ...reply, headers: expect.anything() })
      expect(await ask('GET', `/${kind}/${digest}/info`)).toEqual({ ...reply, headers: expect.anything() })

      expect(await ask('DELETE', `/${kind}/${digest}`)).toMatchObject({ status: 200, json: { status: true } })

      const gone = refusal(404, `${kind}_not_found`)
      expect(await ask('DELETE', `/${kind}/${digest}`)).toMatchObject(gone)
      expect(await ask('GET', `/${kind}/${digest}/info`)).toMatchObject(gone)
      expect(await ask('GET', `/${kind}/${digest}`)).toMatchObject(gone)
      expect(await ask('GET', `/file/${digest}`)).toMatchObject(refusal(404, 'file_not_found'))
      expect((await left()).objects.filter((key) => key.startsWith(digest))).toEqual([])
    })

    it('is not found as another kind', async () => {
      const { digest } = (await store(kind)).json
      for (const other of names.filter((name) => name !== kind)) {
        const unknown = refusal(404, `${other}_not_found`)
        expect(await ask('DELETE', `/${other}/${digest}`)).toMatchObject(unknown)
        if (other === 'file') continue
        expect(await ask('GET', `/${other}/${digest}`)).toMatchObject(unknown)
        expect(await ask('GET', `/${other}/${digest}/info`)).toMatchObject(unknown)
      }
      const { download: _, ...told } = kinds.file.told(digest)
      const { json } = await ask('GET', `/file/${digest}/info`)
      expect(json).toMatchObject({ status: true, digest, download: `${base}/file/${digest}` })
      expect(Object.keys(json).sort()).toEqual([...Object.keys(told), 'download', 'status'].sort())
    })
  })

  it.each([
    ['GET', '/file/:digest', 'file'],
    ['GET', '/file/:digest/info', 'file'],
    ['DELETE', '/file/:digest', 'file'],
    ['GET', '/image/:digest?w=1', 'image'],
    ['GET', '/image/:digest/info', 'image'],
    ['POST', '/image/:digest/rotate', 'image', { d: 90 }],
    ['POST', '/image/:digest/crop', 'image', { x: 0, y: 0, w: 1, h: 1 }],
    ['DELETE', '/image/:digest', 'image'],
    ['GET', '/video/:digest', 'video'],
    ['GET', '/video/:digest/preview', 'video'],
    ['POST', '/video/:digest/preview', 'video', { w: 10 }],
    ['GET', '/video/:digest/info', 'video'],
    ['DELETE', '/video/:digest', 'video'],
    ['GET', '/audio/:digest', 'audio'],
    ['GET', '/audio/:digest/info', 'audio'],
    ['DELETE', '/audio/:digest', 'audio'],
  ])('%s %s replies 404 for an unknown digest', async (method, path, kind, params?: object) => {
    const unknown = refusal(404, `${kind}_not_found`)
    expect(await ask(method, path.replace(':digest', unknownDigest), params)).toMatchObject(unknown)
    for (const hostile of ['a'.repeat(101), '%2e%2e%2fa', 'a%00', "a'--", 'a%20b', '%F0%9F%98%80', '%ff', '%'])
      expect(await ask(method, path.replace(':digest', hostile), params)).toMatchObject(invalidParameters('digest'))
    for (const odd of ['...', '.a', '__proto__', 'constructor'])
      expect(await ask(method, path.replace(':digest', odd), params)).toMatchObject(unknown)
  })

  it.each([
    ['PUT', '/file', 'POST'],
    ['GET', '/file', 'POST'],
    ['POST', '/file/x', 'GET, HEAD, DELETE'],
    ['DELETE', '/file/x/info', 'GET, HEAD'],
    ['PATCH', '/image/x', 'GET, HEAD, DELETE'],
    ['GET', '/image/x/rotate', 'POST'],
    ['GET', '/image/x/crop', 'POST'],
    ['PUT', '/video/x/preview', 'GET, HEAD, POST'],
    ['PUT', '/video/x', 'GET, HEAD, DELETE'],
    ['PUT', '/audio/x', 'GET, HEAD, DELETE'],
    ['PUT', '/tus', 'OPTIONS, POST'],
    ['PUT', '/tus/x', 'GET, HEAD, PATCH, DELETE, POST'],
  ])('has no route %s %s', async (method, path, allow) => {
    const answer = await ask(method, path)
    expect(answer).toMatchObject(refusal(405, 'method_not_allowed'))
    expect(answer.headers.get('allow')).toBe(allow)
  })

  it('replies to HEAD as to GET, without the body', async () => {
    const { digest } = (await store('audio')).json
    const { digest: image } = (await store('image')).json
    for (const path of [
      `/file/${digest}`,
      `/file/${digest}/info`,
      `/audio/${digest}`,
      `/audio/${digest}/info`,
      `/file/${image}`,
      `/image/${image}/info`,
    ]) {
      const [got, head] = [await fetch(path), await fetch(path, { method: 'HEAD' })]
      expect([path, head.status, await head.text()]).toEqual([path, 200, ''])
      expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
      expect(head.headers.get('etag')).toBe(got.headers.get('etag'))
      expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'))
      await got.body?.cancel()
    }
    expect((await fetch(`/file/${unknownDigest}`, { method: 'HEAD' })).status).toBe(404)
  })

  it('replies 202 while a video is processing', async () => {
    const { digest } = (await store('video')).json
    for (const path of [`/video/${digest}`, `/file/${digest}`, `/video/${digest}/preview`]) {
      const answer = await ask('GET', path)
      expect(answer).toMatchObject(refusal(202, 'processing'))
      expect([answer.headers.get('cache-control'), answer.headers.get('retry-after')]).toEqual(['no-store', '2'])
    }
    expect(await ask('POST', `/video/${digest}/preview`, { w: 10 })).toMatchObject(refusal(202, 'processing'))
    expect((await fetch(`/video/${digest}`, { method: 'HEAD' })).status).toBe(202)
  })

  it('has absolute URLs under the configured base URL', async () => {
    const elsewhere = mediaOn({ DB: undefined as never, ...database, BASE_URL: 'https://example.org/' })
    const { json } = await elsewhere.upload('file', 'x')
    expect(json.download).toBe(`https://example.org/media/file/${json.digest}`)
  })

  it('needs credentials to store and change items, and none to download', async () => {
    const guarded = mediaOn({ DB: undefined as never, ...database, AUTH_TOKENS: 'one,two' })
    const headers = { authorization: 'Bearer two' }
    const body = new FormData()
    body.set('file', new File(['hello'], 'a.txt'))
    const allowed = await guarded.fetch('/file', { method: 'POST', body, headers })
    const { digest } = await allowed.json<Answer['json']>()

    const unauthorized = refusal(401, 'unauthorized')
    for (const kind of names) {
      expect(await guarded.upload(kind, 'hello')).toMatchObject(unauthorized)
      expect(await guarded.ask('DELETE', `/${kind}/${digest}`)).toMatchObject(unauthorized)
    }
    expect(await guarded.ask('POST', `/image/${digest}/rotate`, { d: 90 })).toMatchObject(unauthorized)
    expect(await guarded.ask('POST', `/image/${digest}/crop`, {})).toMatchObject(unauthorized)
    expect(await guarded.ask('POST', '/tus')).toMatchObject(unauthorized)
    for (const method of ['GET', 'PATCH', 'DELETE', 'POST'])
      expect(await guarded.ask(method, `/tus/${digest}`)).toMatchObject(unauthorized)
    expect((await guarded.fetch('/tus', { method: 'OPTIONS' })).status).toBe(204)
    for (const path of [`/file/${digest}`, `/file/${digest}/info`]) expect((await guarded.fetch(path)).status).toBe(200)
    expect(await guarded.left()).toMatchObject({ items: [digest], pendingUploads: [], objects: [`${digest}/file`] })
    expect((await guarded.fetch(`/file/${digest}`, { method: 'DELETE', headers })).status).toBe(200)
  })

  it('does not run without configured access', async () => {
    const shut = mediaOn({ DB: undefined as never, ...database, LOCAL: 'false' })
    expect(await shut.upload('file', 'x')).toMatchObject(refusal(503, 'not_configured'))
    expect(await shut.left()).toEqual(nothing)
  })
})
