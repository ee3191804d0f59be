// Tests the credentials and headers with which a component calls another one.
import { expect, inject, it } from 'vitest'
import { fetchPeer } from '#core/outgoing/peer'

const target = `http://127.0.0.1:${inject('targetPort')}`

const headersOf = async (env: Record<string, string>, headers?: Record<string, string>) => {
  const response = await fetchPeer({ PARTNER_URL: target, ...env }, 'partner', '/echo', { ...(headers && { headers }) })
  return ((await response.json()) as { headers: Record<string, string> }).headers
}

it('sends the token of the component, or the first of AUTH_TOKENS', async () => {
  expect(await headersOf({ AUTH_TOKENS: 'one,two' })).toMatchObject({ authorization: 'Bearer one' })
  expect(await headersOf({ AUTH_TOKENS: 'one', PARTNER_TOKEN: 'own' })).toMatchObject({ authorization: 'Bearer own' })
  expect(await headersOf({})).not.toHaveProperty('authorization')
})

it('keeps the given headers', async () => {
  const headers = { authorization: 'Basic x', 'x-a': 'b' }
  expect(await headersOf({ AUTH_TOKENS: 'one' }, headers)).toMatchObject(headers)
})
