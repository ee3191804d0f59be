// Tests the credentials and headers with which a component calls another one.
import { expect, inject, it } from 'vitest'
import { fetchPeer, isUnder } from '#core/outgoing/peer'

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

it.each([
  'https://api.example.com',
  'https://api.example.com/',
  'https://{component}.example.com',
  'https://example.com/v1',
])('recognizes the URLs of a component under %s', (BASE_URL) => {
  const own = BASE_URL.includes('{') ? 'https://sms.example.com' : `${BASE_URL.replace(/\/$/, '')}/sms`
  const isOwn = (url: string) => isUnder({ BASE_URL }, 'sms', url)
  expect([`${own}/sms`, `${own}/a/../sms?b`, `${own}//x`].map(isOwn)).toEqual([true, true, true])
  const others = [
    `${own}x/sms`,
    `${own}/../../queue/task`,
    `${own}/%2e%2e/%2e%2e/queue`,
    own.replace('https:', 'http:').concat('/sms'),
    `${own.replace('https://', 'https://evil@')}/sms`,
    `https://evil.example.com/?${own}/sms`,
  ].filter((url) => !new URL(url).href.startsWith(`${own}/`))
  expect(others.map(isOwn)).toEqual(others.map(() => false))
  expect(isUnder({ BASE_URL, SMS_TOKEN: 'of another deployment' }, 'sms', `${own}/sms`)).toBe(false)
})
