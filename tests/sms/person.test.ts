import { describe, expect, it } from 'vitest'
import { blockPhone } from '#sms/blacklist'
import { insertMessages } from '#sms/ledger'
import { personalData } from '#sms/person'
import { personsIn } from '../support/person.ts'
import { freshPhone, gateways } from './support.ts'

describe.each(gateways())('a person in the SMS gateway on $dialect', ({ sms, env }) => {
  const { erase, read } = personsIn(personalData, env)
  const add = (phone: string) =>
    insertMessages(sms, { kind: 'sms', phones: [phone], segments: 1, provider: 'provider_a', force: true }, new Date())

  it('loses messages and the entry in the blacklist, and other phones keep theirs', async () => {
    const [phone, other] = [freshPhone(), freshPhone()]
    for (let n = 0; n < 3; n++) await add(phone)
    await add(other)
    for (const blocked of [phone, other]) await blockPhone(sms, blocked, new Date())

    expect((await read({ phone })).map(({ place, row }) => [place, row.phone])).toEqual([
      ...Array.from({ length: 3 }, () => ['messages', phone]),
      ['blacklist', phone],
    ])
    expect(await erase({ phone })).toEqual({ messages: 3, blacklist: 1 })

    expect(await read({ phone })).toEqual([])
    expect(await read({ phone: other })).toHaveLength(2)
  })

  it('loses more messages than one step erases, and is exported page by page', async () => {
    const phone = freshPhone()
    const row = { kind: 'sms' as const, phone, state: 'sent' as const, created_at: new Date(), updated_at: new Date() }
    for (let n = 0; n < 60; n++) await sms.db.insert(sms.messages).values(Array.from({ length: 10 }, () => row))
    const ids = (await read({ phone })).map(({ row }) => row.id)
    expect(new Set(ids).size).toBe(600)
    expect(await erase({ phone })).toEqual({ messages: 600 })
  })

  it('has nothing under a user or an email address', async () => {
    await add(freshPhone())
    expect(await erase({ user: 'ann', email: 'ann@example.com' })).toEqual({})
  })
})
