// Tests the login to an SMTP server by XOAUTH2, with access tokens from a token endpoint.
import { describe, expect, it } from 'vitest'
import { door, senderTo } from './support.ts'

const login = { user: 'ann@example.com', pass: 'token-2', methods: ['XOAUTH2'] }

/** A server that accepts the token `token-2`, and a token endpoint that returns these tokens one after the other. */
async function serverWith(tokens: string, variables = {}) {
  const server = await senderTo({ login })
  const component = server.with({
    ...{ SMTP_USERNAME: 'ann@example.com', SMTP_OAUTH_CLIENT_ID: 'app', SMTP_OAUTH_CLIENT_SECRET: 'hidden' },
    SMTP_OAUTH_TOKEN_URL: `${door()}/${server.port}/token?tokens=${tokens}`,
    ...{ ALLOW_PRIVATE_TARGETS: 'true', ...variables },
  })
  return { ...server, ...component }
}

describe('XOAUTH2', () => {
  it('logs in with a token of the client credentials, which is cached', async () => {
    const { send, see } = await serverWith('token-2', { SMTP_OAUTH_SCOPE: 'smtp.send', SMTP_CONNECTIONS: '0' })
    for (let n = 0; n < 2; n++) expect(await send()).toMatchObject({ status: 201 })
    const { tokens, mails, connections } = await see()
    expect(tokens.map((form) => Object.fromEntries(new URLSearchParams(form)))).toEqual([
      { grant_type: 'client_credentials', client_id: 'app', client_secret: 'hidden', scope: 'smtp.send' },
    ])
    expect(mails.map(({ user }) => user)).toEqual(['ann@example.com', 'ann@example.com'])
    expect(connections).toBe(2)
  })

  it('logs in with a token of the refresh token', async () => {
    const { send, see } = await serverWith('token-2', { SMTP_OAUTH_REFRESH_TOKEN: 'again' })
    expect(await send()).toMatchObject({ status: 201 })
    expect(Object.fromEntries(new URLSearchParams((await see()).tokens[0]))).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'again',
    })
  })

  it('requests a new token if the server rejects the cached one', async () => {
    const { send, see } = await serverWith('token-1,token-2')
    expect(await send()).toMatchObject({ status: 201 })
    expect((await see()).tokens).toHaveLength(2)
  })

  it('fails if the server rejects the new token, too', async () => {
    const { send, see } = await serverWith('token-1,token-3')
    const { status, json } = await send()
    expect({ status, json }).toMatchObject({ status: 502, json: { content: { step: 'login' } } })
    expect(JSON.stringify(json)).not.toMatch(/token-\d|hidden/)
    expect((await see()).tokens).toHaveLength(2)
  })

  it('fails without a connection if there is no token', async () => {
    const { send, see } = await serverWith('')
    expect(await send()).toMatchObject({ status: 502, json: { content: { step: 'login' } } })
    expect(await see()).toMatchObject({ connections: 0 })
  })

  it('calls a private token endpoint of SMTP_SERVERS only if private addresses are allowed', async () => {
    const { see, port, with: withVariables } = await serverWith('token-2')
    const oauth = { oauth_token_url: `${door()}/${port}/token?tokens=token-2`, oauth_client_id: 'app' }
    const server = { host: '127.0.0.1', port, username: 'ann@example.com', oauth_client_secret: 'hidden', ...oauth }
    const variables = { SMTP_SERVERS: JSON.stringify([server]), SMTP_OAUTH_TOKEN_URL: '' }
    const refused = await withVariables({ ...variables, ALLOW_PRIVATE_TARGETS: '' }).send()
    expect(refused).toMatchObject({ status: 502, json: { content: { step: 'login' } } })
    expect((await see()).tokens).toEqual([])
    expect(await withVariables({ ...variables, ALLOW_PRIVATE_TARGETS: 'true' }).send()).toMatchObject({ status: 201 })
  })

  it.each([
    [{ SMTP_OAUTH_TOKEN_URL: 'token' }, 'SMTP_OAUTH_TOKEN_URL must be a URL.'],
    [{ SMTP_OAUTH_CLIENT_SECRET: '' }, 'Set SMTP_OAUTH_CLIENT_SECRET or SMTP_OAUTH_REFRESH_TOKEN.'],
    [{ SMTP_OAUTH_CLIENT_ID: '' }, 'Set SMTP_USERNAME and SMTP_OAUTH_CLIENT_ID, since SMTP_OAUTH_TOKEN_URL is set.'],
  ])('is 503 if the configuration is incomplete: %j', async (variables, message) => {
    const { send } = await serverWith('token-2', variables)
    const { status, json } = await send()
    expect({ status, json }).toMatchObject({ status: 503, json: { status_code: 'not_configured', message } })
  })
})
