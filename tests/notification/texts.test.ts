// Tests the validation of a template's texts, when it is created, changed or previewed.
import { describe, expect, it } from 'vitest'
import { limits } from '#notification/fields'
import { everywhere, fresh, invalid, type Tested } from './support.ts'

const [tested] = everywhere() as [Tested]
const { send, given } = tested

const create = (texts: object) => send('POST', '/notification', { name: 'Texts', code: fresh(), ...texts })
const preview = (texts: object) => send('POST', '/notification/preview', texts)
const change = async (texts: object) => send('PATCH', '/notification', { id: (await given()).id, ...texts })

const locales = (count: number, text = 'Hi') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`en-${String(i).padStart(4, '0')}`, text]))

describe.each([
  { where: 'a new template', put: create },
  { where: 'a change', put: change },
  { where: 'a preview', put: preview },
])('the texts of $where', ({ put }) => {
  it.each([
    ['a number with a fraction', { sms_message: 1.5 }, 'sms_message'],
    ['an integer of a field that has none', { email_subject: 1 }, 'email_subject'],
    ['a boolean', { feed_text: true }, 'feed_text'],
    ['an array', { feed_text: ['en'] }, 'feed_text'],
    ['an object without a locale', { feed_text: {} }, 'feed_text'],
    ['a locale with a number', { sms_message: { en: 'Hi', kk: 1 } }, 'sms_message.kk'],
    ['a locale with null', { email_html: { kk: null } }, 'email_html.kk'],
    ['a locale with an object', { email_html: { kk: { en: 'Hi' } } }, 'email_html.kk'],
    ['an empty locale', { feed_title: { '': 'Hi' } }, 'feed_title.'],
    ['a locale that is none', { feed_title: { 'e n': 'Hi' } }, 'feed_title.e n'],
    ['a prototype', { feed_title: JSON.parse('{"__proto__": "Hi"}') }, 'feed_title.__proto__'],
    [
      'a locale that is too long',
      { feed_title: { [`en${'-abcdefgh'.repeat(4)}`]: 'Hi' } },
      `feed_title.en${'-abcdefgh'.repeat(4)}`,
    ],
    ['one locale twice', { feed_title: { 'kk-KZ': 'Hi', KK_kz: 'Hi' } }, 'feed_title.KK_kz'],
    ['NUL', { sms_message: 'a\0' }, 'sms_message'],
    ['half a character', { sms_message: { en: '\ud83d' } }, 'sms_message.en'],
    ['a text that is too long', { feed_image: 'x'.repeat(limits.feed_image.template + 1) }, 'feed_image'],
    ['too many texts', { sms_message: locales(30, 'x'.repeat(9_000)) }, 'sms_message'],
  ])('cannot be %s', async (_, texts, place) => {
    expect(await put(texts)).toMatchObject(invalid(place))
  })

  it.each([
    ['a tag without its end', { email_subject: '{% if a %}b' }, { email_subject: '(line 1, column 1)' }],
    ['one that is not closed', { sms_message: 'Hi\n  {{ a' }, { sms_message: '(line 2, column 3)' }],
    [
      'an unknown filter',
      { email_html: { en: 'x', kk: '\n {{ a | nope }}' } },
      { 'email_html.kk': '(line 2, column 2)' },
    ],
    ['an unknown tag', { feed_text: { ru: '{% nope %}' } }, { 'feed_text.ru': '(line 1, column 1)' }],
    ['another template', { feed_title: "{% include 'a' %}" }, { feed_title: '(line 1, column 1)' }],
    [
      'invalid in several places',
      { email_subject: { en: '{{', kk: 'x', ru: '\n\n{%' }, feed_image: '{{ | }}' },
      { 'email_subject.en': '(line 1, column 1)', 'email_subject.ru': '(line 3, column 1)', feed_image: '(line 1' },
    ],
  ])('that do not parse are reported with line and column: %s', async (_, texts, errors) => {
    const said = Object.fromEntries(Object.entries(errors).map(([place, at]) => [place, expect.stringContaining(at)]))
    const { status, json } = await put(texts)
    expect({ status, json }).toMatchObject({ status: 400, json: { status_code: 'validation_failed' } })
    expect(json.errors).toEqual(said)
  })

  it('may have 200 locales', async () => {
    expect(await put({ email_html: locales(200, '<p>{{ a }}</p>'), sms_message: locales(200) })).toMatchObject({
      status: 200,
    })
  })

  it('are rejected in bounded time for any number of errors', async () => {
    const nested = '{% if a %}'.repeat(20_000)
    expect(await put({ email_html: nested + '{% endif %}'.repeat(20_000) })).toMatchObject(invalid('email_html'))
    expect(await put({ email_html: '{{ a }}'.repeat(60_000) })).toMatchObject(invalid('email_html'))
    const many = Object.fromEntries(Object.keys(locales(500)).map((locale) => [locale, '{{']))
    const { status, json } = await put({ email_html: many })
    expect([status, Object.keys(json.errors as never as object).length]).toEqual([400, 100])
  })
})

it('a text may have the maximum length of its field', async () => {
  const texts = {
    email_subject: 'x'.repeat(limits.email_subject.template),
    email_html: locales(2, 'я'.repeat(190_000)),
    sms_message: locales(15, 'x'.repeat(limits.sms_message.template)),
    feed_title: 'x'.repeat(limits.feed_title.template),
    feed_text: 'я'.repeat(190_000),
    feed_image: 'x'.repeat(limits.feed_image.template),
  }
  const notification = await given({ has_email: false, has_sms: false, has_feed: false })
  for (const [field, text] of Object.entries(texts))
    expect(await send('PATCH', '/notification', { id: notification.id, [field]: text })).toMatchObject({ status: 200 })
  expect(await send('GET', '/notification', { id: notification.id })).toMatchObject({
    json: { content: { notification: texts } },
  })
})
