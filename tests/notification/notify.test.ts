// Tests which messages `POST /notify` queues for a call: their texts, locales, recipients and skipped channels.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { all, everywhere, invalid, notificationsOn, refusal, type Task, targets } from './support.ts'

const queued = { state: 'queued', task: expect.any(String) }
const skipped = (reason: string) => ({ state: 'skipped', reason })

const byChannel = (tasks: Task[]) =>
  Object.fromEntries(tasks.map((task) => [new URL(task.url).hostname.split('.')[0]!, task]))

describe.each(everywhere())('POST /notify on $dialect', ({ send, content, given, queue, fetch }) => {
  it("creates a task for each channel in the recipient's language", async () => {
    const { code } = await given()
    const call = {
      notification: code,
      locale: 'kk-KZ',
      ...targets,
      feed_payload: { big: 1 },
      payload: { name: '<Ann>', order: 7 },
    }
    expect(await send('POST', '/notify', call)).toEqual({
      status: 200,
      json: { status: true, content: { channels: { email: queued, sms: queued, feed: queued } } },
    })
    const tasks = byChannel(queue.takeTasks())
    expect(tasks.email).toMatchObject({
      url: 'https://email.test/smtp',
      json: { to: ['ann@example.com'], subject: 'Order 7', html: '<p>Сәлем, &lt;Ann&gt;</p>' },
    })
    expect(tasks.sms).toMatchObject({
      url: 'https://sms.test/sms',
      json: { phones: ['77011234567'], message: 'Сәлем, <Ann>' },
    })
    expect(tasks.feed).toMatchObject({
      url: 'https://feed.test/record',
      json: {
        collection: 'news',
        recipient: 'ann',
        title: 'Hello',
        text: '<Ann> has 7',
        image: 'https://example.com/7.png',
        payload: { big: 1 },
      },
    })
    for (const [channel, task] of Object.entries(tasks)) {
      expect(JSON.parse(task.body)).toMatchObject({ key: channel })
      expect(task).toMatchObject({
        worker: 'notification',
        confidential: true,
        retries: 12,
        key: null,
        headers: { 'idempotency-key': expect.stringMatching(/^notification-[a-z]+-/) },
      })
    }
    expect(new Set(Object.values(tasks).map(({ headers }) => headers['idempotency-key'])).size).toBe(3)
  })

  it('never forces an SMS, and passes only the message to a component', async () => {
    const { code } = await given()
    await content('POST', '/notify', {
      notification: code,
      locale: 'en',
      ...targets,
      payload: { name: 'a', force: true },
    })
    const { email, sms, feed } = byChannel(queue.takeTasks())
    expect([email, sms, feed].map((task) => Object.keys(task!.json))).toEqual([
      ['to', 'subject', 'html'],
      ['phones', 'message'],
      ['collection', 'recipient', 'title', 'text', 'image'],
    ])
  })

  it('skips channels that are disabled or have no target', async () => {
    const { code } = await given({ has_sms: false })
    const some = { email: '', phone: targets.phone, feed_collection: 'news' }
    const none = { email: skipped('no_target'), sms: skipped('disabled'), feed: skipped('no_target') }
    expect(await send('POST', '/notify', { notification: code, locale: 'en', ...some })).toMatchObject({
      status: 400,
      json: { status_code: 'nothing_to_send', content: { channels: none } },
    })
    const call = { notification: code, locale: 'en', ...some, feed_recipient: 'ann' }
    expect(await content('POST', '/notify', call)).toEqual({ channels: { ...none, feed: queued } })
    expect(Object.keys(byChannel(queue.takeTasks()))).toEqual(['feed'])
  })

  it('skips channels with blank texts', async () => {
    const { code } = await given({
      email_html: '{% if vip %}<p>Hello</p>{% endif %}',
      sms_message: { en: 'Hi', kk: ' ' },
      feed_title: ' ',
      feed_text: '{{ text }}',
      feed_image: '',
    })
    const call = { notification: code, locale: 'kk', ...targets }
    const empty = { email: skipped('empty'), sms: skipped('empty'), feed: skipped('empty') }
    expect(await send('POST', '/notify', call)).toMatchObject({
      ...refusal(400, 'nothing_to_send'),
      json: { content: { channels: empty } },
    })
    const more = { feed_payload: { a: 1 }, payload: { vip: false } }
    expect(await content('POST', '/notify', { ...call, ...more })).toEqual({
      channels: { email: skipped('empty'), sms: skipped('empty'), feed: queued },
    })
    expect(byChannel(queue.takeTasks()).feed!.json).toEqual({ collection: 'news', recipient: 'ann', payload: { a: 1 } })
    expect(await content('POST', '/notify', { ...call, locale: 'en', payload: { vip: true, order: 1 } })).toEqual({
      channels: { email: queued, sms: queued, feed: skipped('empty') },
    })
    queue.takeTasks()
  })

  it('renders a subject of one line and removes control characters', async () => {
    const { code } = await given({ email_subject: ' {{ a }}\n{{ b }} ', sms_message: '{{ c }}', feed_text: '{{ d }}' })
    const payload = { a: 'One\r\nBcc: x@example.com', b: 'two\u2028\u0007three', c: 'a\0b', d: '\ud83dx', name: 1 }
    await content('POST', '/notify', { notification: code, locale: 'en', ...targets, payload })
    const { email, sms, feed } = byChannel(queue.takeTasks())
    expect(email!.json).toMatchObject({ subject: 'One Bcc: x@example.com two three' })
    expect(sms!.json).toMatchObject({ message: 'ab' })
    expect(feed!.json).toMatchObject({ text: '\ufffdx' })
  })

  it('renders an integer and keeps numbers exact', async () => {
    const { code } = await given({ sms_message: 4711, feed_text: '{{ big }} {{ price }} {{ big | append: "!" }}' })
    const targets = '"phone": "77011234567", "feed_collection": "news", "feed_recipient": "ann"'
    const values = '"payload": {"big": 12345678901234567890, "price": 9.5}'
    const feed_payload = '{"z":1.0,"a":12345678901234567890,"__proto__":{}}'
    const body = `{"notification": "${code}", "locale": "en", ${targets}, ${values}, "feed_payload": ${feed_payload}}`
    expect((await fetch('http://component/notify', { method: 'POST', body })).status).toBe(200)
    const { sms, feed } = byChannel(queue.takeTasks())
    expect(sms!.json).toMatchObject({ message: '4711' })
    expect(feed!.json).toMatchObject({ text: '12345678901234567890 9.5 12345678901234567890!' })
    expect(feed!.body).toContain(`"payload":${feed_payload}`)
  })

  it('requires a template and a locale', async () => {
    expect(await send('POST', '/notify', { notification: '', locale: '' })).toMatchObject(
      invalid('notification', 'locale'),
    )
    expect(await send('POST', '/notify', { notification: 'nowhere', locale: 'en', ...targets })).toMatchObject(
      refusal(404, 'notification_not_found'),
    )
  })

  it.each([
    ['an email without a domain', { email: 'ann' }, 'email'],
    ['two emails', { email: 'ann@example.com, bob@example.com' }, 'email'],
    ['a header in an email', { email: 'ann@example.com\r\nBcc: x@example.com' }, 'email'],
    ['a phone of letters', { phone: 'call me' }, 'phone'],
    ['a short phone', { phone: '123456' }, 'phone'],
    ['two phones', { phone: '77011234567,77011234568' }, 'phone'],
    ['a number for a phone', { phone: 77011234567 }, 'phone'],
    ['a collection that can be none', { feed_collection: 'No News' }, 'feed_collection'],
    ['a long recipient', { feed_recipient: 'x'.repeat(256) }, 'feed_recipient'],
    ['an array of values', { payload: [] }, 'payload'],
    ['a text for the payload of a record', { feed_payload: 'x' }, 'feed_payload'],
  ])('rejects %s and queues nothing', async (_, one, field) => {
    const { code } = await given()
    expect(await send('POST', '/notify', { notification: code, locale: 'en', ...targets, ...one })).toMatchObject(
      invalid(field),
    )
    expect(queue.takeTasks()).toEqual([])
  })

  it.each([
    ['an endless loop', { feed_text: '{% for i in (1..999999999) %}{% endfor %}' }, 'feed_text', /column 1/],
    [
      'a loop in a loop',
      { sms_message: { kk: '{% for i in (1..9000) %}{% for j in (1..9000) %}{% endfor %}{% endfor %}' } },
      'sms_message.kk',
      /steps/,
    ],
    ['a long subject', { email_subject: '{{ long }}' }, 'email_subject', /got 1[0-9]{3}/],
    ['a huge email', { email_html: '{% for i in (1..9000) %}{{ long }}{% endfor %}' }, 'email_html', /./],
    ['an email of many bytes', { email_html: '{% for i in (1..700) %}{{ wide }}{% endfor %}' }, 'email_html', /bytes/],
    ['a long SMS', { sms_message: '{{ long }}{{ long }}' }, 'sms_message', /got 2[0-9]{3}/],
    ['a long title', { feed_title: '{{ long }}' }, 'feed_title', /characters/],
    ['a long image', { feed_image: '{{ long }}{{ long }}' }, 'feed_image', /characters/],
  ])('rejects templates that render %s and queues nothing', async (_, texts, place, message) => {
    const { code } = await given(texts)
    const payload = { long: 'long '.repeat(220), wide: 'ы'.repeat(1_000) }
    const errors = { [place]: expect.stringMatching(message) }
    const call = { notification: code, locale: 'kk', ...targets, payload }
    const { status, json } = await send('POST', '/notify', call)
    expect({ status, json }).toMatchObject(refusal(400, 'validation_failed', errors))
    expect(Object.keys(json.errors as never as object)).toEqual([place])
    expect(queue.takeTasks()).toEqual([])
    const texted = { id: undefined, code, locale: 'kk', payload }
    expect(await send('POST', '/notification/preview', texted)).toMatchObject(refusal(400, 'validation_failed', errors))
  })

  it('rejects a record that is too large for a task', async () => {
    const { code } = await given({ feed_text: '{{ long }}' })
    const payload = { long: 'ы'.repeat(99_000) }
    const call = { notification: code, locale: 'en', ...targets, payload, feed_payload: { a: 'x'.repeat(600_000) } }
    expect(await send('POST', '/notify', { ...call, payload: {} })).toMatchObject({ status: 200 })
    queue.takeTasks()
    expect(await send('POST', '/notify', { ...call, feed_payload: { a: 'ы'.repeat(330_000) } })).toMatchObject({
      status: 200,
    })
    queue.takeTasks()
    const wide = { ...call, payload: { long: '\u0001'.repeat(90_000) }, feed_payload: { a: 'x'.repeat(420_000) } }
    expect(await send('POST', '/notify', wide)).toMatchObject(invalid('feed_payload'))
    expect(queue.takeTasks()).toEqual([])
  })

  it('escapes values in elements and attributes', async () => {
    const { code } = await given({ email_html: '<p title="{{ a }}">{{ a }}</p>' })
    for (const a of [`"><script>`, "' onload='x", '</p>', '&lt;', '{{ a }}{% raw %}']) {
      await content('POST', '/notify', { notification: code, locale: 'en', email: targets.email, payload: { a } })
      const [task] = queue.takeTasks()
      expect(String(task!.json.html).replace('<p title="', '').replace('</p>', '')).toMatch(/^[^<"]*">[^<"]*$/)
    }
  })
})

describe('the path to the channels', () => {
  const [database] = databases as [(typeof databases)[number]]
  const call = { locale: 'fr', ...targets, payload: { name: 'Ann' } }

  it('uses the configured worker and addresses, with credentials in secret headers', async () => {
    const variables = {
      NOTIFICATION_QUEUE_WORKER: 'letters',
      BASE_URL: 'https://{component}.example.com',
      AUTH_TOKENS: 'one,two',
    }
    const none = { EMAIL_URL: '', SMS_URL: '', FEED_URL: '' }
    const tested = notificationsOn(database, { ...variables, ...none, OPEN: 'true' })
    const headers = { authorization: 'Bearer one' }
    const { status } = await tested.send('POST', '/notification', { name: 'x', code: 'configured', ...all }, headers)
    expect(status).toBe(200)
    await tested.send('POST', '/notify', { notification: 'configured', ...call }, headers)
    const tasks = tested.queue.takeTasks()
    expect(tasks.map(({ url }) => url).toSorted()).toEqual([
      'https://email.example.com/smtp',
      'https://feed.example.com/record',
      'https://sms.example.com/sms',
    ])
    for (const task of tasks) {
      expect(task).toMatchObject({ worker: 'letters', service: expect.stringMatching(/^(email|sms|feed)$/) })
      expect(task.secret_headers).toBeUndefined()
    }
  })

  it('fails with 503 if it is not configured', async () => {
    const tested = notificationsOn(database, { SMS_URL: '' })
    const { code } = await tested.given()
    expect(await tested.send('POST', '/notify', { notification: code, ...call })).toMatchObject(
      refusal(503, 'not_configured'),
    )
    expect(tested.queue.takeTasks()).toEqual([])
  })

  it('falls back to the default locale, then to the first', async () => {
    const tested = notificationsOn(database, { NOTIFY_DEFAULT_LOCALE: 'kk-KZ' })
    const { code } = await tested.given()
    await tested.content('POST', '/notify', { notification: code, ...call })
    const { sms, feed } = byChannel(tested.queue.takeTasks())
    expect(sms!.json).toMatchObject({ message: 'Сәлем, Ann' })
    expect(feed!.json).toMatchObject({ title: 'Hello' })
  })

  it('is part of the health check', async () => {
    const tested = notificationsOn(database)
    expect(await tested.content('GET', '/_health')).toMatchObject({
      dependencies: { database: { state: 'up' }, queue: { state: 'up' } },
    })
  })
})
