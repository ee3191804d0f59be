import { expect, inject, it } from 'vitest'
import { fetchPeer } from '#core/outgoing/peer'

const target = `http://127.0.0.1:${inject('targetPort')}`

const headersOf = async (env: Record<string, string>, headers?: Record<string, string>) => {
  const response = await fetchPeer({ PARTNER_URL: target, ...env }, 'partner', '/echo', { ...(headers && { headers }) })
  return ((await response.json()) as { headers: Record<string, string> }).headers
}

it('a request to another component shows its token, or the first of all components’', async () => {
  expect(await headersOf({ AUTH_TOKENS: 'one,two' })).toMatchObject({ authorization: 'Bearer one' })
  expect(await headersOf({ AUTH_TOKENS: 'one', PARTNER_TOKEN: 'own' })).toMatchObject({ authorization: 'Bearer own' })
  expect(await headersOf({})).not.toHaveProperty('authorization')
})

it('a request to another component keeps the headers that it is given', async () => {
  const given = { authorization: 'Basic x', 'x-a': 'b' }
  expect(await headersOf({ AUTH_TOKENS: 'one' }, given)).toMatchObject(given)
})
