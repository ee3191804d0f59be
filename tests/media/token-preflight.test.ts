// Tests that pages with a token can upload: media answers OPTIONS for tus itself, and core those of such pages.
import { expect, it } from 'vitest'
import Media from '../../workers/media/index.ts'
import { boundOn, startWith } from '../support/requests.ts'

const { fetch } = startWith(Media, boundOn({ DB: undefined }, { AUTH_TOKENS: 'root' }))

it('answers the preflight request of a page with a token, and OPTIONS of tus', async () => {
  const headers = {
    origin: 'https://app.example.com',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type',
  }
  const preflight = await fetch('http://media/file', { method: 'OPTIONS', headers })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, headers.origin])
  const tus = await fetch('http://media/tus', { method: 'OPTIONS' })
  expect([tus.status, tus.headers.get('tus-version')]).toEqual([204, '1.0.0'])
})
