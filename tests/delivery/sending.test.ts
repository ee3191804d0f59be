// Tests the messages of a delivery: one per recipient and channel, and their rendered texts.
import { beforeEach, describe, expect, it } from 'vitest'
import { parseJson } from '#core/http/json'
import { databases } from '../support/databases.ts'
import { recipient } from '../support/pages.ts'
import { deliver, deliveries, deliveryOn, type Tested, target } from './support.ts'

const numbers = Array.from({ length: 20 }, (_, i) => i + 1)
const all = (state: string, n: number, reasons = {}) => ({ ...none, [state]: n, reasons })
const none = { queued: 0, sending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, reasons: {} }

/** Parameters with a data source that replies with these recipients, given as JSON. */
const sourceOf = (content: string) => ({
  data_url: target(`/recipients?kind=said&content=${encodeURIComponent(content)}`),
  ...{ min: 1, max: 1 },
})

const forget = ({ channels }: Tested) => {
  for (const channel of Object.values(channels))
    Object.assign(channel, { sent: [], respond: undefined, maxConcurrent: 0 })
}

describe.each(deliveries())('a delivery on $dialect', (tested) => {
  const { channels, content } = tested
  beforeEach(() => forget(tested))

  it('sends one message per recipient and channel', async () => {
    const { id, report } = await deliver(tested)
    expect(report).toEqual({
      pieces: { total: 4, processed: 4, failed: 0 },
      recipients: 20,
      ...{ email: all('sent', 20), sms: all('sent', 20), feed: all('sent', 20) },
    })
    expect(channels.email.sent.map(({ to }) => to).toSorted()).toEqual(
      numbers.map((n) => recipient(n).email).toSorted(),
    )
    expect(channels.sms.sent.map(({ to }) => to).toSorted()).toEqual(numbers.map((n) => recipient(n).phone))
    expect(channels.feed.sent).toHaveLength(20)
    expect(await content('GET', '/deliveries', { name: 'Sale', limit: 1 })).toMatchObject({
      deliveries: [{ id, status: 'finished', progress: 1, paused: false }],
    })
  })

  it('renders the template of the locale with the payload and the fields of the recipient', async () => {
    await deliver(tested, { min: 1, max: 2, feed_payload: { a: [1.0] } })
    const bodies = Object.values(channels).flatMap(({ sent }) => sent.map(({ body }) => body))
    expect(bodies).toEqual(
      expect.arrayContaining([
        { to: ['user1@example.com'], subject: 'Привет, Name 1', html: '<p>Да, Name 1</p>' },
        { to: ['user2@example.com'], subject: 'Hello, Name 2', html: '<p>Name 2</p>' },
        { phones: ['77000000001'], message: 'Эй Name 1' },
        { phones: ['77000000002'], message: 'Hi Name 2' },
        ...[1, 2].map((n) => ({
          ...{ collection: 'news', recipient: `user${n}`, title: 'News', text: `For Name ${n}, Acme` },
          payload: { a: [1] },
        })),
      ]),
    )
    expect(bodies).toHaveLength(6)
  })
})

const tested = deliveryOn(databases[0]!)
const { channels } = tested
beforeEach(() => forget(tested))

describe('a rendered message', () => {
  const messages = async (more: object) => {
    const { report } = await deliver(tested, { min: 2, max: 2, has_email: false, has_feed: false, ...more })
    return { report, texts: channels.sms.sent.map(({ body }) => body.message!) }
  }

  it('prefers the fields of the recipient to the payload, and escapes values in HTML only', async () => {
    const { texts } = await messages({
      sms_message: { en: '{{ name }} & {{ shop }}' },
      payload: { name: 'x', shop: '<b>' },
    })
    expect(texts).toEqual(['Name 2 & <b>'])
    await deliver(tested, { min: 2, max: 2, email_html: { en: '{{ shop }}' }, payload: { shop: '<b>' } })
    expect(channels.email.sent[0]!.body.html).toBe('&lt;b&gt;')
  })

  it('has all digits of large integers', async () => {
    const { texts } = await messages({
      ...sourceOf('[{"phone": "77010000001", "account": 9007199254740993}]'),
      sms_message: { en: '{{ account }} of {{ order }}' },
      payload: parseJson('{"order": 12345678901234567890}'),
    })
    expect(texts).toEqual(['9007199254740993 of 12345678901234567890'])
  })

  it('contains no NUL characters and no unpaired surrogates', async () => {
    const name = 'A\\u0000n\\ud83dn'
    const ann = `{"phone": "77010000001", "email": "ann@example.com", "feed_collection": "news", "feed_recipient": "ann", "name": "${name}"}`
    const { report } = await deliver(tested, sourceOf(`[${ann}]`))
    expect([report.email, report.sms, report.feed]).toEqual([all('sent', 1), all('sent', 1), all('sent', 1)])
    expect(channels.email.sent[0]!.body).toMatchObject({ subject: 'Hello, An\ufffdn', html: '<p>An\ufffdn</p>' })
    expect(channels.sms.sent[0]!.body.message).toBe('Hi An\ufffdn')
    expect(channels.feed.sent[0]!.body.text).toBe('For An\ufffdn, Acme')
  })

  it('has the first text for a recipient without a locale, or the text of the default locale', async () => {
    const bare = { data_url: target('/recipients?bare=1'), sms_message: { ru: 'ру', en: 'en' } }
    expect((await messages(bare)).texts).toEqual(['ру'])
    const english = deliveryOn(databases[0]!, { NOTIFY_DEFAULT_LOCALE: 'en' })
    await deliver(english, { ...bare, min: 2, max: 2 })
    expect(english.channels.sms.sent.map(({ body }) => body.message!)).toEqual(['en'])
  })

  it('has a subject of one line, without control characters', async () => {
    await deliver(tested, {
      min: 2,
      max: 2,
      email_subject: { en: ' {{ shop }} ' },
      payload: { shop: 'a\r\nBcc: b@c.d\t\u0007' },
    })
    expect(channels.email.sent[0]!.body.subject).toBe('a Bcc: b@c.d')
  })

  it.each([
    [{ sms_message: { en: '{% if false %}x{% endif %}' } }, 'sms'],
    [{ has_email: true, email_subject: { en: '{{ nothing }}' } }, 'email'],
    [{ has_email: true, email_html: { en: ' {{ nothing }}\n' } }, 'email'],
    [{ has_feed: true, feed_title: { en: '{{ nothing }}' }, feed_text: { en: ' ' } }, 'feed'],
  ] as const)('is skipped if it is blank: %j', async (more, channel) => {
    const { report } = await messages({ has_sms: true, ...more })
    expect(report[channel]).toEqual(all('skipped', 1, { no_text: 1 }))
    expect(channels[channel].sent).toEqual([])
  })

  it('fails if its template does not end in time', async () => {
    const endless = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}'
    const { report } = await messages({ sms_message: { en: endless } })
    expect(report.sms).toEqual(all('failed', 1, { render: 1 }))
  })

  it('is skipped if the phone is on the blacklist', async () => {
    channels.sms.respond = () => replyWith(200, { messages: [{ state: 'blacklisted' }] })
    const { report } = await messages({})
    expect(report.sms).toEqual(all('skipped', 1, { blacklisted: 1 }))
    expect(channels.sms.sent[0]!.body).toEqual({ phones: ['77000000002'], message: 'Hi Name 2' })
  })
})

const replyWith = (status: number, content: object, status_code?: string) =>
  Response.json({ status: status < 300, message: '', content, status_code }, { status })

describe('the reply of a channel', () => {
  const sms = (state: string, reason?: string) => ({ messages: [{ state, reason }] })

  it.each<['email' | 'sms' | 'feed', string, () => Response, object]>([
    ['email', 'a refused recipient', () => replyWith(201, { rejected: ['a@b'] }), all('failed', 1, { refused: 1 })],
    [
      'email',
      'a permanent SMTP error',
      () => replyWith(502, { smtp: 550, step: 'recipients' }, 'smtp_failed'),
      all('failed', 1, { refused: 1 }),
    ],
    [
      'email',
      'an unknown outcome',
      () => replyWith(504, {}, 'smtp_outcome_unknown'),
      all('unknown', 1, { timeout: 1 }),
    ],
    ['email', '400', () => replyWith(400, {}, 'validation_failed'), all('failed', 1, { refused: 1 })],
    ['email', '413', () => replyWith(413, {}, 'payload_too_large'), all('failed', 1, { refused: 1 })],
    ['email', '500', () => replyWith(500, {}, 'internal_error'), all('unknown', 1, { interrupted: 1 })],
    ['email', 'an unreadable reply', () => new Response('<p>'), all('unknown', 1, { unreadable: 1 })],
    ['sms', 'unknown', () => replyWith(200, sms('unknown', 'timeout')), all('unknown', 1, { timeout: 1 })],
    [
      'sms',
      'a bad phone',
      () => replyWith(502, sms('failed', 'phone'), 'sms_failed'),
      all('failed', 1, { refused: 1 }),
    ],
    ['sms', 'no message', () => replyWith(200, { messages: [] }), all('unknown', 1, { unreadable: 1 })],
    ['feed', '404', () => replyWith(404, {}, 'collection_not_found'), all('failed', 1, { collection_not_found: 1 })],
  ])('%s: %s', async (channel, _, reply, counted) => {
    channels[channel].respond = reply
    const { report, status } = await deliver(tested, { min: 2, max: 2 })
    expect([status, report[channel]]).toEqual(['finished', counted])
    expect(channels[channel].sent).toHaveLength(1)
  })

  it('is unknown if the connection breaks, and the message is not sent again', async () => {
    channels.feed.respond = () => Promise.reject(new Error('The connection was lost'))
    const { report } = await deliver(tested, { min: 1, max: 4 })
    expect(report.feed).toEqual(all('unknown', 4, { interrupted: 4 }))
    expect(channels.feed.sent).toHaveLength(4)
  })

  it.each<['email' | 'sms' | 'feed', () => Response, string]>([
    ['email', () => replyWith(502, { smtp: 451, step: 'recipients' }, 'smtp_failed'), 'quota'],
    ['email', () => replyWith(502, { smtp: 535, step: 'login' }, 'smtp_failed'), 'outlet_open'],
    ['email', () => replyWith(502, { smtp: 550, step: 'sender' }, 'smtp_failed'), 'outlet_open'],
    ['email', () => replyWith(401, {}, 'unauthorized'), 'outlet_open'],
    ['email', () => replyWith(502, {}, 'smtp_failed'), 'outlet_open'],
    ['email', () => replyWith(503, {}, 'not_configured'), 'outlet_open'],
    ['sms', () => replyWith(502, sms('failed', 'unavailable'), 'sms_failed'), 'outlet_open'],
    ['sms', () => replyWith(429, {}, 'limited'), 'quota'],
  ])('%s: holds the delivery while the message was certainly not sent: %s', async (channel, reply, reason) => {
    channels[channel].respond = reply
    const only = { has_email: false, has_sms: false, has_feed: false, [`has_${channel}`]: true }
    const { report, status, held, held_reason } = await deliver(tested, { min: 2, max: 2, ...only })
    expect([status, held, held_reason, report[channel]]).toEqual(['started', true, reason, all('queued', 1)])
    expect(channels[channel].sent.length).toBeGreaterThan(4)
  })

  it.each(['email', 'sms', 'feed'] as const)('%s: every message has its own idempotency key', async (channel) => {
    await deliver(tested, { min: 1, max: 10 })
    const keys = channels[channel].sent.map(({ key }) => key)
    expect(new Set(keys).size).toBe(10)
    expect(keys.every((key) => /^delivery-[\w-]+-\d+-0$/.test(key))).toBe(true)
  })

  it('is requested again until the channel accepts the message', async () => {
    channels.email.respond = () => (channels.email.sent.length < 4 ? replyWith(502, {}, 'smtp_failed') : undefined)
    const { report } = await deliver(tested, { min: 2, max: 2 })
    expect(report.email).toEqual(all('sent', 1))
    expect(channels.email.sent).toHaveLength(4)
  })
})

describe('recipients', () => {
  it('without the target of a channel are skipped on that channel, and counted', async () => {
    const { report } = await deliver(tested, { data_url: target('/recipients?kind=some'), min: 1, max: 5 })
    expect(report.recipients).toBe(5)
    expect(report.email).toEqual({ ...none, sent: 2, skipped: 3, reasons: { no_target: 3 } })
    expect(report.sms).toEqual({ ...none, sent: 2, skipped: 3, reasons: { no_target: 3 } })
    expect(report.feed).toEqual(all('skipped', 5, { no_target: 5 }))
  })

  it('with the same address get one message, also on different pages', async () => {
    const { report } = await deliver(tested, { data_url: target('/recipients?same=1') })
    expect(report.email).toEqual({ ...none, sent: 1, skipped: 19, reasons: { duplicate: 19 } })
    expect(report.sms).toEqual(all('sent', 20))
    expect(channels.email.sent.map(({ to }) => to)).toEqual(['All@Example.com'])
  })

  it('are compared by normalized address or phone number, but not by an invalid one', async () => {
    const written = [
      { email: 'ann@example.com', phone: '77011234567 (work)' },
      { email: 'Ann <Ann@Example.com>', phone: '+7 (701) 123-45-67' },
      { email: '"Ann" <ann@example.com>', phone: 77011234567 },
    ]
    const { report } = await deliver(tested, { ...sourceOf(JSON.stringify(written)), has_feed: false })
    expect(report.email).toEqual({ ...none, sent: 1, skipped: 2, reasons: { duplicate: 2 } })
    expect(report.sms).toEqual({ ...none, sent: 1, failed: 1, skipped: 1, reasons: { duplicate: 1, refused: 1 } })
    expect(channels.sms.sent.map(({ to }) => to)).toEqual(['+7 (701) 123-45-67'])
  })

  it('with too many data are skipped', async () => {
    const fat = { data_url: target('/recipients?kind=fat'), sms_message: { en: 'Hi' } }
    const { report } = await deliver(tested, { ...fat, min: 1, max: 3 })
    expect(report.sms).toEqual({ ...none, sent: 1, skipped: 2, reasons: { too_large: 2 } })
  })

  it('are deleted when all their messages are sent', async () => {
    const { id } = await deliver(tested)
    const ledger = await tested.ledgerOf(id)
    const left = await tested.inLedger(ledger, (sql) =>
      ['recipients', 'targets'].map((table) => sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n),
    )
    expect(left).toEqual([0, 0])
    const dump = await tested.inLedger(ledger, (sql) => JSON.stringify(sql.exec('SELECT * FROM messages').toArray()))
    expect(dump).not.toMatch(/@|7700|Name/)
  })

  it('get five messages at a time', async () => {
    const held: (() => void)[] = []
    channels.email.respond = async () => {
      const together = new Promise<void>((go) => held.push(go))
      if (held.length === 5) for (const go of held.splice(0)) go()
      await together
      return undefined
    }
    const { report } = await deliver(tested, { has_sms: false, has_feed: false })
    expect([report.email, channels.email.maxConcurrent]).toEqual([all('sent', 20), 5])
  })
})
