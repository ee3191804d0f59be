// Tests that pages with a token can upload: media answers OPTIONS for tus itself, and core those of such pages.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import Media from '../../workers/media/index.ts'
import { accessWith } from '../support/access-stand-in.ts'
import { boundOn, startWith } from '../support/requests.ts'

const origin = 'https://app.example.com'

const { ACCESS, token } = await accessWith(['media:write'])
const { DB } = env as { DB?: D1Database }
const { fetch } = startWith(Media, boundOn({ DB }, { AUTH_TOKENS: 'root', ACCESS }))

const preflight = async (path: string, method: string, requested: string) => {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': requested,
  }
  const response = await fetch(`http://media${path}`, { method: 'OPTIONS', headers })
  return [response.status, response.headers.get('access-control-allow-origin')]
}

it('answers the preflight request of a page with a token, and OPTIONS of tus', async () => {
  expect(await preflight('/file', 'POST', 'authorization, content-type')).toEqual([204, origin])
  const tus = await fetch('http://media/tus', { method: 'OPTIONS' })
  expect([tus.status, tus.headers.get('tus-version')]).toEqual([204, '1.0.0'])
})

it.each([
  ['POST', '/tus', 'authorization,tus-resumable,upload-length,upload-metadata'],
  ['HEAD', '/tus/7', 'authorization,tus-resumable'],
  ['PATCH', '/tus/7', 'authorization,content-type,tus-resumable,upload-offset'],
  ['DELETE', '/tus/7', 'authorization,tus-resumable'],
  ['POST', '/tus/7', 'authorization,content-type,tus-resumable,upload-offset,x-http-method-override'],
])('answers the preflight request of a tus client with a token for %s %s', async (method, path, requested) => {
  expect(await preflight(path, method, requested)).toEqual([204, origin])
})

it('does not answer a preflight request of tus without a token, or with unknown headers', async () => {
  expect(await preflight('/tus', 'POST', 'tus-resumable,upload-length')).toEqual([204, null])
  expect(await preflight('/tus', 'POST', 'authorization,tus-resumable,x-other')).toEqual([204, null])
})

it('takes an upload of a page with a scoped token, whose script reads the headers of the replies', async () => {
  const headers = { origin, authorization: `Bearer ${await token()}`, 'tus-resumable': '1.0.0' }
  const body = new TextEncoder().encode('a text file')
  const created = await fetch('http://media/tus', {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(body.length), 'upload-metadata': `kind ${btoa('file')}` },
  })
  expect([created.status, created.headers.get('access-control-allow-origin')]).toEqual([201, origin])
  const readable = created.headers.get('access-control-expose-headers')!.split(',')
  expect(readable).toEqual(expect.arrayContaining(['Location', 'Upload-Offset', 'Tus-Resumable', 'Media-Digest']))
  const { pathname } = new URL(created.headers.get('location')!, 'http://media')
  const written = await fetch(`http://media${pathname.replace(/^\/media/, '')}`, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body,
  })
  expect([written.status, written.headers.get('upload-offset')]).toEqual([204, String(body.length)])
  expect(written.headers.get('access-control-allow-origin')).toBe(origin)
})
