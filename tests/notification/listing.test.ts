// Tests the lists of notification templates: filters, paging, and the limit of 8 MB per page.
import { describe, expect, it } from 'vitest'
import { everywhere, fresh, invalid } from './support.ts'

describe.each(everywhere())('lists of templates on $dialect', ({ send, content, given }) => {
  const codesIn = ({ notifications }: Record<string, never>) =>
    (notifications as never as { code: string }[]).map(({ code }) => code)

  it.each(['GET', 'POST'])('are returned by %s in pages, newest first', async (method) => {
    const name = fresh('Paged')
    const codes: string[] = []
    for (let i = 0; i < 5; i++) codes.unshift((await given({ name })).code)
    expect(codesIn(await content(method, '/notifications', { name }))).toEqual(codes)
    const page = await content(method, '/notifications', { name, limit: 2, offset: 2, count: true })
    expect([codesIn(page), page.nb_results]).toEqual([codes.slice(2, 4), 5])
    expect((await content(method, '/notifications', { name, offset: 5 })).notifications).toEqual([])
    expect(await send(method, '/notifications', { limit: 0, offset: -1, count: 'maybe' })).toMatchObject(
      invalid('limit', 'offset', 'count'),
    )
  })

  it('contain complete templates', async () => {
    const { code } = await given({ description: 'Whole' })
    const { notification } = await content('GET', '/notification', { code })
    expect(await content('GET', '/notifications', { code })).toEqual({ notifications: [notification] })
  })

  it('are filtered by a part of the name in any case and by code', async () => {
    const part = fresh('Ünïcode %_ Заказ')
    const { code } = await given({ name: `The ${part} of all` })
    for (const name of [part, part.toLowerCase(), part.toUpperCase()])
      expect(codesIn(await content('POST', '/notifications', { name }))).toEqual([code])
    expect(codesIn(await content('POST', '/notifications', { name: part.replace('%', '_') }))).toEqual([])
    expect(codesIn(await content('POST', '/notifications', { name: '', code }))).toEqual([code])
    expect(codesIn(await content('POST', '/notifications', { code: code.slice(1) }))).toEqual([])
  })

  it('are filtered by channels', async () => {
    const name = fresh('Channels')
    const none = await given({ name, has_email: false, has_sms: false, has_feed: false })
    const sms = await given({ name, has_email: false, has_feed: false })
    const every = await given({ name })
    const codes = async (filter: object) => codesIn(await content('POST', '/notifications', { name, ...filter }))
    expect(await codes({ has_email: true })).toEqual([every.code])
    expect(await codes({ has_email: false })).toEqual([sms.code, none.code])
    expect(await codes({ has_sms: true, has_feed: false })).toEqual([sms.code])
    expect(await codes({ has_sms: null, has_feed: false })).toEqual([sms.code, none.code])
  })

  it('end early at 8 MB and have has_more', async () => {
    const name = fresh('Large')
    const email_html = Object.fromEntries(['en', 'kk'].map((locale) => [locale, locale.repeat(190_000)]))
    for (let i = 0; i < 12; i++) await given({ name, email_html })
    const page = await content('GET', '/notifications', { name, limit: 1000, count: true })
    const notifications = page.notifications as never as { email_html: object }[]
    expect(notifications.length).toBeLessThan(12)
    expect(page).toMatchObject({ has_more: true, nb_results: 12 })
    for (const one of notifications) expect(one.email_html).toEqual(email_html)
    const rest = await content('GET', '/notifications', { name, offset: notifications.length })
    expect((rest.notifications as never as []).length).toBe(12 - notifications.length)
  })
})
