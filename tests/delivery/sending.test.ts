import { beforeEach, describe, expect, it } from 'vitest'
import { parseJson } from '#core/http/json'
import { databases } from '../support/databases.ts'
import { recipient } from '../support/pages.ts'
import { deliver, deliveries, deliveryOn, type Tested, target } from './support.ts'

const numbers = Array.from({ length: 20 }, (_, i) => i + 1)
const all = (state: string, n: number, reasons = {}) => ({ ...none, [state]: n, reasons })
const none = { queued: 0, sending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, reasons: {} }

/** A place that names these recipients, written as JSON. */
const naming = (content: string) => ({
  data_url: target(`/recipients?kind=said&content=${encodeURIComponent(content)}`),
  ...{ min: 1, max: 1 },
})

const forget = ({ channels }: Tested) => {
  for (const channel of Object.values(channels)) Object.assign(channel, { sent: [], manner: undefined, most: 0 })
}

describe.each(deliveries())('a delivery on $dialect', (tested) => {
  const { channels, content } = tested
  beforeEach(() => forget(tested))

  it('sends to each recipient by each channel, once', async () => {
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

  it('sends what is written for the locale, with the payload and the own fields in it', async () => {
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

describe('what goes out', () => {
  const messages = async (more: object) => {
    const { report } = await deliver(tested, { min: 2, max: 2, has_email: false, has_feed: false, ...more })
    return { report, texts: channels.sms.sent.map(({ body }) => body.message!) }
  }

  it('takes what a recipient itself has before the payload, and escapes values in html alone', async () => {
    const { texts } = await messages({
      sms_message: { en: '{{ name }} & {{ shop }}' },
      payload: { name: 'x', shop: '<b>' },
    })
    expect(texts).toEqual(['Name 2 & <b>'])
    await deliver(tested, { min: 2, max: 2, email_html: { en: '{{ shop }}' }, payload: { shop: '<b>' } })
    expect(channels.email.sent[0]!.body.html).toBe('&lt;b&gt;')
  })

  it('has integers of any size as they were sent', async () => {
    const { texts } = await messages({
      ...naming('[{"phone": "77010000001", "account": 9007199254740993}]'),
      sms_message: { en: '{{ account }} of {{ order }}' },
      payload: parseJson('{"order": 12345678901234567890}'),
    })
    expect(texts).toEqual(['9007199254740993 of 12345678901234567890'])
  })

  it('is without NUL and half characters, whatever a recipient has', async () => {
    const name = 'A\\u0000n\\ud83dn'
    const ann = `{"phone": "77010000001", "email": "ann@example.com", "feed_collection": "news", "feed_recipient": "ann", "name": "${name}"}`
    const { report } = await deliver(tested, naming(`[${ann}]`))
    expect([report.email, report.sms, report.feed]).toEqual([all('sent', 1), all('sent', 1), all('sent', 1)])
    expect(channels.email.sent[0]!.body).toMatchObject({ subject: 'Hello, An\ufffdn', html: '<p>An\ufffdn</p>' })
    expect(channels.sms.sent[0]!.body.message).toBe('Hi An\ufffdn')
    expect(channels.feed.sent[0]!.body.text).toBe('For An\ufffdn, Acme')
  })

  it('is the first text for who has no locale, or that of the default locale', async () => {
    const bare = { data_url: target('/recipients?bare=1'), sms_message: { ru: 'ру', en: 'en' } }
    expect((await messages(bare)).texts).toEqual(['ру'])
    const english = deliveryOn(databases[0]!, { NOTIFY_DEFAULT_LOCALE: 'en' })
    await deliver(english, { ...bare, min: 2, max: 2 })
    expect(english.channels.sms.sent.map(({ body }) => body.message!)).toEqual(['en'])
  })

  it('has a subject of one line, whatever was put into it', async () => {
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
  ] as const)('is skipped where it comes out blank: %j', async (more, channel) => {
    const { report } = await messages({ has_sms: true, ...more })
    expect(report[channel]).toEqual(all('skipped', 1, { no_text: 1 }))
    expect(channels[channel].sent).toEqual([])
  })

  it('fails where its template does not come to an end', async () => {
    const endless = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}'
    const { report } = await messages({ sms_message: { en: endless } })
    expect(report.sms).toEqual(all('failed', 1, { render: 1 }))
  })

  it('never goes to a phone that is on the blacklist', async () => {
    channels.sms.manner = () => answer(200, { messages: [{ state: 'blacklisted' }] })
    const { report } = await messages({})
    expect(report.sms).toEqual(all('skipped', 1, { blacklisted: 1 }))
    expect(channels.sms.sent[0]!.body).toEqual({ phones: ['77000000002'], message: 'Hi Name 2' })
  })
})

const answer = (status: number, content: object, status_code?: string) =>
  Response.json({ status: status < 300, message: '', content, status_code }, { status })

describe('what a channel answers', () => {
  const sms = (state: string, reason?: string) => ({ messages: [{ state, reason }] })

  it.each<['email' | 'sms' | 'feed', string, () => Response, object]>([
    [
      'email',
      'that it refused the recipient',
      () => answer(201, { rejected: ['a@b'] }),
      all('failed', 1, { refused: 1 }),
    ],
    [
      'email',
      'what SMTP refuses for good',
      () => answer(502, { smtp: 550, step: 'recipients' }, 'smtp_failed'),
      all('failed', 1, { refused: 1 }),
    ],
    [
      'email',
      'that it does not know',
      () => answer(504, {}, 'smtp_outcome_unknown'),
      all('unknown', 1, { timeout: 1 }),
    ],
    ['email', '400', () => answer(400, {}, 'validation_failed'), all('failed', 1, { refused: 1 })],
    ['email', '413', () => answer(413, {}, 'payload_too_large'), all('failed', 1, { refused: 1 })],
    ['email', '500', () => answer(500, {}, 'internal_error'), all('unknown', 1, { interrupted: 1 })],
    ['email', 'something else', () => new Response('<p>'), all('unknown', 1, { unreadable: 1 })],
    ['sms', 'unknown', () => answer(200, sms('unknown', 'timeout')), all('unknown', 1, { timeout: 1 })],
    ['sms', 'a bad phone', () => answer(502, sms('failed', 'phone'), 'sms_failed'), all('failed', 1, { refused: 1 })],
    ['sms', 'no message', () => answer(200, { messages: [] }), all('unknown', 1, { unreadable: 1 })],
    ['feed', '404', () => answer(404, {}, 'collection_not_found'), all('failed', 1, { collection_not_found: 1 })],
  ])('%s: %s', async (channel, _, reply, counted) => {
    channels[channel].manner = reply
    const { report, status } = await deliver(tested, { min: 2, max: 2 })
    expect([status, report[channel]]).toEqual(['finished', counted])
    expect(channels[channel].sent).toHaveLength(1)
  })

  it('is lost where it breaks off, and nothing is repeated', async () => {
    channels.feed.manner = () => Promise.reject(new Error('The connection was lost'))
    const { report } = await deliver(tested, { min: 1, max: 4 })
    expect(report.feed).toEqual(all('unknown', 4, { interrupted: 4 }))
    expect(channels.feed.sent).toHaveLength(4)
  })

  it.each<['email' | 'sms' | 'feed', () => Response, string]>([
    ['email', () => answer(502, { smtp: 451, step: 'recipients' }, 'smtp_failed'), 'quota'],
    ['email', () => answer(502, { smtp: 535, step: 'login' }, 'smtp_failed'), 'outlet_open'],
    ['email', () => answer(502, { smtp: 550, step: 'sender' }, 'smtp_failed'), 'outlet_open'],
    ['email', () => answer(401, {}, 'unauthorized'), 'outlet_open'],
    ['email', () => answer(502, {}, 'smtp_failed'), 'outlet_open'],
    ['email', () => answer(503, {}, 'not_configured'), 'outlet_open'],
    ['sms', () => answer(502, sms('failed', 'unavailable'), 'sms_failed'), 'outlet_open'],
    ['sms', () => answer(429, {}, 'limited'), 'quota'],
  ])(
    '%s: holds the delivery if it certainly sent nothing, for as long as it takes: %s',
    async (channel, reply, reason) => {
      channels[channel].manner = reply
      const only = { has_email: false, has_sms: false, has_feed: false, [`has_${channel}`]: true }
      const { report, status, held, held_reason } = await deliver(tested, { min: 2, max: 2, ...only })
      expect([status, held, held_reason, report[channel]]).toEqual(['started', true, reason, all('queued', 1)])
      expect(channels[channel].sent.length).toBeGreaterThan(4)
    },
  )

  it.each(['email', 'sms', 'feed'] as const)('%s: gets an idempotency key for each message', async (channel) => {
    await deliver(tested, { min: 1, max: 10 })
    const keys = channels[channel].sent.map(({ key }) => key)
    expect(new Set(keys).size).toBe(10)
    expect(keys.every((key) => /^delivery-[\w-]+-\d+-0$/.test(key))).toBe(true)
  })

  it('is asked for again until it is taken', async () => {
    channels.email.manner = () => (channels.email.sent.length < 4 ? answer(502, {}, 'smtp_failed') : undefined)
    const { report } = await deliver(tested, { min: 2, max: 2 })
    expect(report.email).toEqual(all('sent', 1))
    expect(channels.email.sent).toHaveLength(4)
  })
})

describe('recipients', () => {
  it('without the target of a channel are skipped there, and counted', async () => {
    const { report } = await deliver(tested, { data_url: target('/recipients?kind=some'), min: 1, max: 5 })
    expect(report.recipients).toBe(5)
    expect(report.email).toEqual({ ...none, sent: 2, skipped: 3, reasons: { no_target: 3 } })
    expect(report.sms).toEqual({ ...none, sent: 2, skipped: 3, reasons: { no_target: 3 } })
    expect(report.feed).toEqual(all('skipped', 5, { no_target: 5 }))
  })

  it('who are the same get one message, on whatever pages they are', async () => {
    const { report } = await deliver(tested, { data_url: target('/recipients?same=1') })
    expect(report.email).toEqual({ ...none, sent: 1, skipped: 19, reasons: { duplicate: 19 } })
    expect(report.sms).toEqual(all('sent', 20))
    expect(channels.email.sent.map(({ to }) => to)).toEqual(['All@Example.com'])
  })

  it('are the same by their address or number, however it is written, and not by what is none', async () => {
    const written = [
      { email: 'ann@example.com', phone: '77011234567 (work)' },
      { email: 'Ann <Ann@Example.com>', phone: '+7 (701) 123-45-67' },
      { email: '"Ann" <ann@example.com>', phone: 77011234567 },
    ]
    const { report } = await deliver(tested, { ...naming(JSON.stringify(written)), has_feed: false })
    expect(report.email).toEqual({ ...none, sent: 1, skipped: 2, reasons: { duplicate: 2 } })
    expect(report.sms).toEqual({ ...none, sent: 1, failed: 1, skipped: 1, reasons: { duplicate: 1, refused: 1 } })
    expect(channels.sms.sent.map(({ to }) => to)).toEqual(['+7 (701) 123-45-67'])
  })

  it('who have too much about themselves are skipped', async () => {
    const fat = { data_url: target('/recipients?kind=fat'), sms_message: { en: 'Hi' } }
    const { report } = await deliver(tested, { ...fat, min: 1, max: 3 })
    expect(report.sms).toEqual({ ...none, sent: 1, skipped: 2, reasons: { too_large: 2 } })
  })

  it('are forgotten when nothing more is to be sent to them', async () => {
    const { id } = await deliver(tested)
    const ledger = await tested.ledgerOf(id)
    const left = await tested.inLedger(ledger, (sql) =>
      ['recipients', 'targets'].map((table) => sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n),
    )
    expect(left).toEqual([0, 0])
    const dump = await tested.inLedger(ledger, (sql) => JSON.stringify(sql.exec('SELECT * FROM messages').toArray()))
    expect(dump).not.toMatch(/@|7700|Name/)
  })

  it('are sent to five at a time', async () => {
    const held: (() => void)[] = []
    channels.email.manner = async () => {
      const together = new Promise<void>((go) => held.push(go))
      if (held.length === 5) for (const go of held.splice(0)) go()
      await together
      return undefined
    }
    const { report } = await deliver(tested, { has_sms: false, has_feed: false })
    expect([report.email, channels.email.most]).toEqual([all('sent', 20), 5])
  })
})
