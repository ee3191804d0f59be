// Tests the operations that create, read, change and delete notification templates.
import { describe, expect, it } from 'vitest'
import { all, everywhere, fresh, invalid, refusal } from './support.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

describe.each(everywhere())('templates on $dialect', ({ send, content, given }) => {
  it('are created and read by id and by code', async () => {
    const code = fresh()
    const created = await send('POST', '/notification', { name: 'Shipped', description: 'On its way', code, ...all })
    const notification = {
      id: expect.any(Number),
      name: 'Shipped',
      description: 'On its way',
      code,
      ...all,
      variables: ['name', 'order'],
      created_at: time,
      updated_at: time,
    }
    expect(created).toEqual({ status: 200, json: { status: true, content: { notification } } })
    const { id } = (created.json.content as never as { notification: { id: number } }).notification
    expect(await content('GET', '/notification', { id })).toEqual({ notification })
    expect(await content('GET', '/notification', { code })).toEqual({ notification })
    expect(await send('GET', '/notification', { id, code: `${code}x` })).toMatchObject(
      refusal(404, 'notification_not_found'),
    )
  })

  it('are created once by repeats with one idempotency key', async () => {
    const code = fresh()
    const create = () =>
      send('POST', '/notification', { name: 'Once', code, ...all }, { 'idempotency-key': `create-${code}` })
    const first = await create()
    expect(first.status).toBe(200)
    expect(await create()).toEqual(first)
    expect(await send('POST', '/notification', { name: 'Once', code, ...all })).toMatchObject(
      refusal(409, 'code_taken'),
    )
  })

  it('require a name and a code, and have no channel by default', async () => {
    const code = fresh()
    expect(await content('POST', '/notification', { name: 'Empty', code, email_subject: '', feed_text: null })).toEqual(
      {
        notification: {
          id: expect.any(Number),
          name: 'Empty',
          description: null,
          code,
          has_email: false,
          has_sms: false,
          has_feed: false,
          email_subject: null,
          email_html: null,
          sms_message: null,
          feed_title: null,
          feed_text: null,
          feed_image: null,
          variables: [],
          created_at: time,
          updated_at: time,
        },
      },
    )
    expect(await send('POST', '/notification', { name: '', code: null })).toMatchObject(invalid('name', 'code'))
    expect(await send('POST', '/notification', { name: 'x'.repeat(256), code: 'x'.repeat(256) })).toMatchObject(
      invalid('name', 'code'),
    )
  })

  it.each([
    ['an integer', 12345],
    ['a negative one', -1],
    ['its digits', '12345'],
    ['an object of one locale', { kk: 'Сәлем' }],
    ['an object in its order', { 'zh-Hant-TW': '您好', en: 'Hi', en_GB: 'Hullo', x: '' }],
  ])('return %s unchanged', async (_, sms_message) => {
    const { id, code } = await given({ sms_message })
    const { notification } = await content('GET', '/notification', { id })
    expect(JSON.stringify((notification as never as Record<string, unknown>).sms_message)).toBe(
      JSON.stringify(sms_message),
    )
    expect((await content('GET', '/notifications', { code })).notifications).toEqual([notification])
  })

  it('accept texts in a query', async () => {
    const code = fresh()
    const texts = { sms_message: '5', email_subject: '{{ a }}', feed_text: '{"en": "Hi", "kk": "{{ b }}"}' }
    const query = new URLSearchParams({ name: 'Query', code, has_sms: 'true', ...texts })
    expect(await send('POST', `/notification?${query}`)).toMatchObject({
      status: 200,
      json: {
        content: {
          notification: {
            has_sms: true,
            sms_message: '5',
            email_subject: '{{ a }}',
            feed_text: { en: 'Hi', kk: '{{ b }}' },
            variables: ['a', 'b'],
          },
        },
      },
    })
  })

  it('have unique codes', async () => {
    const [one, other] = [await given(), await given()]
    const taken = refusal(409, 'code_taken')
    expect(await send('POST', '/notification', { name: 'Other', code: one.code })).toMatchObject(taken)
    expect(await send('PATCH', '/notification', { id: other.id, code: one.code })).toMatchObject(taken)
    expect(await content('PATCH', '/notification', { id: one.id, code: one.code })).toMatchObject({
      notification: { code: one.code },
    })
  })

  it('keep fields that a change does not have', async () => {
    const { id, code } = await given({ description: 'Before' })
    const { notification } = await content('PATCH', '/notification', {
      id,
      name: 'After',
      sms_message: 'Hi {{ who }}',
      feed_title: '',
      description: '',
      email_html: null,
    })
    expect(notification).toMatchObject({
      ...all,
      name: 'After',
      code,
      description: null,
      sms_message: 'Hi {{ who }}',
      feed_title: null,
    })
    expect(notification).toMatchObject({ variables: ['name', 'order', 'who'] })
    expect(await content('GET', '/notification', { id })).toEqual({ notification })
  })

  it('update the variables of changed texts', async () => {
    const { id } = await given({ feed_text: '{{ gone }}' })
    expect(await content('PATCH', '/notification', { id, feed_text: '{{ __proto__ }}{{ Z }}{{ a }}' })).toMatchObject({
      notification: { variables: ['Z', '__proto__', 'a', 'name', 'order'] },
    })
  })

  it.each([
    ['an email without a subject', { email_subject: '' }, 'email_subject'],
    ['an email without HTML', { email_html: '' }, 'email_html'],
    ['an SMS without a text', { sms_message: '' }, 'sms_message'],
  ])('cannot be changed to %s', async (_, change, field) => {
    const code = fresh()
    expect(await send('POST', '/notification', { name: 'Never', code, ...all, ...change })).toMatchObject(
      invalid(field),
    )
    const { id } = await given()
    expect(await send('PATCH', '/notification', { id, ...change })).toMatchObject(invalid(field))
    const off = { [`has_${field.split('_')[0]}`]: false }
    expect(await send('PATCH', '/notification', { id, ...change, ...off })).toMatchObject({ status: 200 })
    expect(await send('PATCH', '/notification', { id, has_email: true, has_sms: true })).toMatchObject(invalid(field))
    expect(await send('PATCH', '/notification', { id, has_email: true, has_sms: true, [field]: 'x' })).toMatchObject({
      status: 200,
    })
  })

  it('may use the feed without a text', async () => {
    expect(await given({ feed_title: '', feed_text: '', feed_image: '' })).toMatchObject({ has_feed: true })
  })

  it('are deleted', async () => {
    const { id, code } = await given()
    expect(await send('DELETE', '/notification', { id })).toEqual({ status: 200, json: { status: true } })
    const gone = refusal(404, 'notification_not_found')
    expect(await send('DELETE', '/notification', { id })).toMatchObject(gone)
    expect(await send('PATCH', '/notification', { id, name: 'x' })).toMatchObject(gone)
    expect(await send('GET', '/notification', { code })).toMatchObject(gone)
    expect(await send('POST', '/notify', { notification: code, locale: 'en' })).toMatchObject(gone)
    expect(await send('POST', '/notification/preview', { id })).toMatchObject(gone)
  })

  it('require an id and non-empty values', async () => {
    expect(await send('GET', '/notification')).toMatchObject(invalid('id'))
    expect(await send('PATCH', '/notification', { name: 'x' })).toMatchObject(invalid('id'))
    expect(await send('DELETE', '/notification', { id: 'x' })).toMatchObject(invalid('id'))
    const { id } = await given()
    expect(await send('PATCH', '/notification', { id, name: '', code: '' })).toMatchObject(invalid('name', 'code'))
  })

  it('lose no concurrent change', async () => {
    const { id } = await given({ feed_title: '' })
    const changes = [
      { email_subject: '{{ a }}' },
      { email_html: '{{ b }}' },
      { sms_message: '{{ c }}' },
      { feed_title: '{{ d }}' },
      { feed_text: '{{ e }}' },
      { feed_image: '{{ f }}' },
      { name: 'Changed' },
      { has_email: false },
    ]
    const replies = await Promise.all(changes.map((change) => send('PATCH', '/notification', { id, ...change })))
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect(await content('GET', '/notification', { id })).toMatchObject({
      notification: { ...Object.assign({}, ...changes), variables: ['a', 'b', 'c', 'd', 'e', 'f'] },
    })
  })

  it('accept one of two concurrent creations of a code', async () => {
    const code = fresh()
    const create = () => send('POST', '/notification', { name: 'One', code })
    const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409, 409])
  })
})
