// Tests several SMTP servers: their configuration, weights and failover.
import { describe, expect, it } from 'vitest'
import { inOrder, serversOf } from '#email/servers'
import { type Sender, sender, senderTo } from './support.ts'

interface Listed {
  name?: string
  port?: number
  weight?: number
  password?: string
}

const of = (...servers: Listed[]) => ({
  SMTP_SERVERS: JSON.stringify(servers.map((server) => ({ host: '127.0.0.1', ...server }))),
})

/** Sends mail through several servers: the first one has weight 1, the others are used if it fails. */
const through = (first: { port: number }, ...others: { port: number }[]) =>
  sender(of({ name: 'first', port: first.port }, ...others.map(({ port }) => ({ port, weight: 0 }))))

const mailsOf = async ({ see }: Sender) => (await see()).mails.length

describe('failover', () => {
  it.each([
    ['greeting', '554 no service'],
    ['greeting', '421 busy'],
    ['greeting', 'cut'],
    ['EHLO', 'garbage'],
    ['MAIL', '451 4.3.2 not now'],
    ['DATA', 'cut'],
  ])('sends the mail through the next server: %s, %s', async (at, how) => {
    const first = await senderTo({ fault: { at, how } })
    const second = await senderTo()
    const { status, json } = await through(first, second).send()
    expect({ status, json }).toMatchObject({ status: 201, json: { content: { server: 'server-2' } } })
    expect([await mailsOf(first), await mailsOf(second)]).toEqual([0, 1])
  })

  it('passes over a server that cannot be reached, later without a connection', async () => {
    const second = await senderTo()
    const { send } = through({ port: 1 }, second)
    for (let n = 0; n < 7; n++) expect(await send()).toMatchObject({ status: 201 })
    expect(await mailsOf(second)).toBe(7)
  })

  it.each([
    ['RCPT', '550 5.1.1 no such user'],
    ['MAIL', '550 5.7.1 not you'],
    ['end', '554 5.7.1 spam'],
  ])('does not offer a rejected mail to another server: %s, %s', async (at, how) => {
    const first = await senderTo({ fault: { at, how } })
    const second = await senderTo()
    expect(await through(first, second).send()).toMatchObject({ status: 502 })
    expect(await second.see()).toMatchObject({ connections: 0 })
  })

  it.each(['content', 'end'])('never sends a mail again whose message has begun: %s', async (at) => {
    const first = await senderTo({ fault: { at, how: 'cut' } })
    const second = await senderTo()
    expect(await through(first, second).send()).toMatchObject({ status: 504 })
    expect(await second.see()).toMatchObject({ connections: 0 })
  })

  it('returns the error of the last server if all fail', async () => {
    const [first, second] = [await senderTo({ fault: { at: 'greeting', how: 'cut' } }), { port: 1 }]
    const { status, json } = await through(first, second).send()
    expect({ status, json }).toMatchObject({ status: 502, json: { content: { step: 'connect' } } })
  })

  it('keeps the idempotency key: a retry does not send the mail again', async () => {
    const second = await senderTo()
    const { send } = through({ port: 1 }, second)
    const key = crypto.randomUUID()
    expect(await send({}, key)).toMatchObject({ status: 201 })
    expect(await send({}, key)).toMatchObject({ status: 201 })
    expect(await mailsOf(second)).toBe(1)
  })
})

describe('the order of the servers', () => {
  const env = (...servers: Listed[]) => of(...servers) as never

  it('follows the weights, with those of weight 0 last', () => {
    const servers = serversOf(env({ weight: 0, name: 'backup' }, { weight: 3, name: 'a' }, { weight: 1, name: 'b' }))
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const orders = Array.from({ length: 1_000 }, () => inOrder(servers, random).map(({ name }) => name))
    expect(orders.every((names) => names[2] === 'backup')).toBe(true)
    const first = orders.filter(([name]) => name === 'a').length
    expect(first).toBeGreaterThan(650)
    expect(first).toBeLessThan(850)
  })
})

describe('the configuration of several servers', () => {
  it.each([
    ['no json', 'SMTP_SERVERS must be a JSON array of servers.'],
    ['{}', 'SMTP_SERVERS must be a JSON array of servers.'],
    ['[]', 'SMTP_SERVERS must have 1 to 10 servers.'],
    ['[1]', 'SMTP_SERVERS[0] must be an object with a host.'],
    ['[{}]', 'Set SMTP_SERVERS[0].host to the SMTP server that sends the mail.'],
    ['[{"host":"a","hots":"b"}]', expect.stringContaining('SMTP_SERVERS[0] has an unknown field.')],
    ['[{"host":"a","port":0}]', 'SMTP_SERVERS[0].port must be a number between 1 and 65535.'],
    ['[{"host":"a","weight":-1}]', 'SMTP_SERVERS[0].weight must be a number between 0 and 1000.'],
    ['[{"host":"a","name":"a b"}]', 'SMTP_SERVERS[0].name must be 1 to 50 letters, digits and . _ -.'],
    ['[{"host":"a","username":"u"}]', 'Set SMTP_SERVERS[0].password, since SMTP_SERVERS[0].username is set.'],
    ['[{"host":"a","encryption":"on"}]', 'SMTP_SERVERS[0].encryption must be ssl, tls or empty.'],
    ['[{"host":1}]', 'SMTP_SERVERS[0].host must be a string.'],
    ['[{"host":"a","name":"x"},{"host":"b","name":"x"}]', 'The servers of SMTP_SERVERS must have different names.'],
  ])('is 503 if it is invalid: %s', async (SMTP_SERVERS, message) => {
    const { status, json } = await sender({ SMTP_SERVERS }).send()
    expect({ status, json }).toMatchObject({ status: 503, json: { status_code: 'not_configured', message } })
  })

  it('is shown in the health report, by the names of the servers', async () => {
    const { port } = await senderTo()
    const { json } = await sender(of({ name: 'main', port }, { port: 1 })).ask('GET', '/_health')
    expect(json.content).toMatchObject({
      dependencies: { smtp_main: { state: 'up' }, 'smtp_server-2': { state: 'down' } },
    })
  })
})
