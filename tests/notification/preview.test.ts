// Tests the preview of a template, which renders its texts without sending or storing them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localeFor } from '#core/template/locale'
import { databases } from '../support/databases.ts'
import { runs } from '../support/tier.ts'
import { everywhere, invalid, notificationsOn, refusal } from './support.ts'

const nothing = {
  email: null,
  sms: null,
  feed: null,
  locales: {
    email_subject: null,
    email_html: null,
    sms_message: null,
    feed_title: null,
    feed_text: null,
    feed_image: null,
  },
  variables: [],
}

describe.each(everywhere())('a preview on $dialect', ({ send, content, given, queue }) => {
  const preview = async (call: object) => (await content('POST', '/notification/preview', call)).preview

  it('renders a template by id or by code', async () => {
    const { id, code } = await given({ has_sms: false })
    const call = { locale: 'kk-KZ', payload: { name: '<Ann>', order: 7 } }
    const shown = {
      email: { subject: 'Order 7', html: '<p>Сәлем, &lt;Ann&gt;</p>' },
      sms: { message: 'Сәлем, <Ann>', encoding: 'ucs2', segments: 1 },
      feed: { title: 'Hello', text: '<Ann> has 7', image: 'https://example.com/7.png' },
      locales: { ...nothing.locales, email_html: 'kk', sms_message: 'kk', feed_title: 'en' },
      variables: ['name', 'order'],
    }
    expect(await preview({ id, ...call })).toEqual(shown)
    expect(await preview({ code, ...call })).toEqual(shown)
    expect(await preview({ id, code, ...call })).toEqual(shown)
    expect(await send('POST', '/notification/preview', { id, code: 'other' })).toMatchObject(
      refusal(404, 'notification_not_found'),
    )
    expect(queue.takeTasks()).toEqual([])
  })

  it('renders texts without storing them', async () => {
    expect(await preview({ sms_message: 'Hi {{ a }}{% if b %}!{% endif %}', payload: { a: 1, b: 0 } })).toEqual({
      ...nothing,
      sms: { message: 'Hi 1!', encoding: 'gsm7', segments: 1 },
      variables: ['a', 'b'],
    })
    expect(await preview({ email_subject: 'A', feed_image: { de: 'B' } })).toEqual({
      ...nothing,
      email: { subject: 'A', html: null },
      feed: { title: null, text: null, image: 'B' },
      locales: { ...nothing.locales, feed_image: 'de' },
    })
    expect(await preview({ sms_message: 5 })).toMatchObject({ sms: { message: '5' } })
    expect(await preview({ email_html: '' })).toEqual(nothing)
  })

  it('replaces texts of a template with texts of the call', async () => {
    const { id } = await given()
    const shown = { email: { subject: 'Order', html: '<p>New, </p>' }, sms: null }
    expect(await preview({ id, email_html: '<p>New, {{ x }}</p>', sms_message: '' })).toMatchObject({
      ...shown,
      variables: ['name', 'order', 'x'],
    })
    expect(await preview({ id })).toMatchObject({ email: { html: '<p>Hello, </p>' }, sms: { message: 'Hello, ' } })
  })

  it.each([
    ['160 characters of the short alphabet', 'a'.repeat(160), 'gsm7', 1],
    ['one more', 'a'.repeat(161), 'gsm7', 2],
    ['70 of any other', 'ы'.repeat(70), 'ucs2', 1],
    ['one more', 'ы'.repeat(71), 'ucs2', 2],
    ['the most', 'a'.repeat(1_600), 'gsm7', 11],
  ])('counts the segments of %s', async (_, text, encoding, segments) => {
    expect(await preview({ sms_message: '{{ text }}', payload: { text } })).toMatchObject({
      sms: { message: text, encoding, segments },
    })
  })

  it('requires a template or a text', async () => {
    expect(await send('POST', '/notification/preview', { locale: 'en' })).toMatchObject(invalid('id'))
    expect(await send('POST', '/notification/preview', { code: 'nowhere' })).toMatchObject(
      refusal(404, 'notification_not_found'),
    )
  })

  it('names the field and locale of a text that fails to render', async () => {
    const loop = '\n {% for i in (1..999999999) %}{% endfor %}'
    const { status, json } = await send('POST', '/notification/preview', {
      locale: 'kk',
      email_html: { en: 'x', kk: loop },
      feed_title: { en: 'x', kk: '{{ x | append: y }}' },
      payload: { x: 'x'.repeat(600), y: 'y'.repeat(600) },
    })
    expect({ status, json }).toMatchObject(
      refusal(400, 'validation_failed', {
        'email_html.kk': expect.stringContaining('(line 2, column '),
        'feed_title.kk': 'feed_title.kk must render to at most 1000 characters, got 1200.',
      }),
    )
  })
})

describe('the locale of a text', () => {
  const [database] = databases as [(typeof databases)[number]]
  const { content } = notificationsOn(database, { NOTIFY_DEFAULT_LOCALE: 'ru-RU' })

  it('is the best match for each field', async () => {
    const locale = fc.constantFrom('en', 'en-GB', 'kk', 'kk_KZ', 'ru', 'ru-RU', 'zh-Hant', 'zh-Hant-TW', 'de')
    const texts = fc
      .uniqueArray(locale, { minLength: 1 })
      .map((locales) => Object.fromEntries(locales.map((name) => [name, `in ${name}`])))
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.oneof(locale, fc.string()), async (feed_title, feed_text, asked) => {
        const call = { feed_title, feed_text, locale: asked.replaceAll('\0', '').toWellFormed() }
        const { preview } = (await content('POST', '/notification/preview', call)) as never as {
          preview: { feed: Record<string, string>; locales: Record<string, string> }
        }
        for (const [name, given] of Object.entries({ title: feed_title, text: feed_text })) {
          expect(preview.feed[name]).toBe(given[localeFor(Object.keys(given), call.locale, 'ru-RU')!])
          expect(preview.feed[name]).toBe(`in ${preview.locales[`feed_${name}`]}`)
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it.each([
    ['kk-KZ', { kk: 1, ru: 2 }, 'kk'],
    ['KK_kz', { 'kk-KZ': 1, kk: 2 }, 'kk-KZ'],
    ['kk', { 'kk-KZ': 1, ru: 2 }, 'kk-KZ'],
    ['en-US', { kk: 1, 'en-GB': 2 }, 'en-GB'],
    ['fr', { en: 1, 'ru-RU': 2, ru: 3 }, 'ru-RU'],
    ['fr', { en: 1, ru: 3 }, 'ru'],
    ['fr', { en: 1, de: 3 }, 'en'],
  ])('for %s in %j is %s', async (locale, texts, expected) => {
    const feed_title = Object.fromEntries(Object.keys(texts).map((name) => [name, name]))
    expect(await content('POST', '/notification/preview', { feed_title, locale })).toMatchObject({
      preview: { feed: { title: expected }, locales: { feed_title: expected } },
    })
  })
})
