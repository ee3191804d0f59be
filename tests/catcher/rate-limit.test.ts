import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '#catcher/bindings'
import { catcher } from '#catcher/index'
import { useUp } from '../support/rate-limit.ts'

const bound = env as unknown as Env

const address = '198.51.100.60'

const send = async (path: string, { LOCAL = 'false', token = '' } = {}) => {
  const headers = { 'cf-connecting-ip': address, authorization: `Bearer ${token}` }
  const request = new Request(`http://catcher.example${path}`, { headers })
  const response = await catcher.fetch(request, { ...bound, AUTH_TOKENS: 'secret', LOCAL }, createExecutionContext())
  const { status_code } = (await response.json()) as { status_code?: string }
  return [response.status, status_code]
}

it('limits the captures of an address, and not the calls that read them', async () => {
  // The minute may end in between, so both steps are repeated.
  await expect
    .poll(async () => {
      await useUp(bound.RATE_LIMIT, address)
      return send('/hook')
    })
    .toEqual([429, 'rate_limit'])
  expect(await send('/_requests_', { token: 'secret' })).toEqual([200, undefined])
  expect(await send('/hook', { LOCAL: 'true' })).toEqual([200, undefined])
})
