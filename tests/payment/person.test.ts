import { describe, expect, it } from 'vitest'
import { personalData } from '#payment/person'
import { addTransaction } from '#payment/transactions'
import { addAttempt } from '#payment/webhook-log'
import { databases } from '../support/databases.ts'
import { personsIn } from '../support/person.ts'
import { freshCode, paymentOn } from './support.ts'

describe.each(databases)('a person in the payments on $dialect', (database) => {
  let phones = 0
  const freshPhone = () => `7705${String(++phones).padStart(7, '0')}`
  const kept = paymentOn(database)
  const erasing = paymentOn(database, { ERASE_PAYMENTS: 'true' })
  const { store } = kept

  async function pay(account: string): Promise<void> {
    const sums = { sum: 5, sum_minor: 500, currency: 'KZT', status: 1 as const, request_id: null }
    const { row } = await addTransaction(store, { account, code: freshCode(), ...sums, created_at: new Date() })
    const log = { transaction_id: row.id, url: 'http://merchant.test/', request_body: '{}', duration_ms: 1 }
    await store.db.insert(store.webhooks).values({ ...log, created_at: new Date() })
    const body = `AccountId=${account}&Amount=5`
    const request = { ip: '127.0.0.1', url: 'http://payment.test/pay', method: 'POST', headers: '{}', body }
    await store.db.insert(store.requests).values({ ...request, created_at: new Date() })
  }

  it('keeps payments and their logs, which are exported', async () => {
    const ann = `ann-${freshCode()}`
    await pay(ann)
    const { erase, read } = personsIn(personalData, kept.env)
    expect(await erase({ user: ann })).toEqual({})
    expect((await read({ user: ann })).map(({ place }) => place)).toEqual(['requests', 'webhooks', 'transactions'])
  })

  it('loses them with ERASE_PAYMENTS, and other accounts keep theirs', async () => {
    const [ann, bob] = [`ann-${freshCode()}`, `bob-${freshCode()}`]
    for (const account of [ann, ann, bob]) await pay(account)
    const { erase, read } = personsIn(personalData, erasing.env)
    expect(await erase({ user: ann })).toEqual({ requests: 2, webhooks: 2, transactions: 2 })
    expect(await read({ user: ann })).toEqual([])
    expect(await read({ user: bob })).toHaveLength(3)
  })

  it.each([
    [
      'a phone',
      () => freshPhone(),
      (phone: string) => `+${phone[0]} (${phone.slice(1, 4)}) ${phone.slice(4)}`,
      'phone',
    ],
    ['an email address', () => `ann-${freshCode()}@example.com`, (email: string) => ` ${email.toUpperCase()}`, 'email'],
  ])('finds accounts with any spelling of %s', async (_, fresh, spell, name) => {
    const [ann, bob] = [fresh(), fresh()]
    for (const account of [ann, spell(ann), spell(bob)]) await pay(account)
    const { erase, read } = personsIn(personalData, erasing.env)
    expect((await read({ [name]: ann })).map(({ place }) => place).toSorted()).toEqual([
      ...['requests', 'requests', 'transactions', 'transactions', 'webhooks', 'webhooks'],
    ])
    expect(await erase({ [name]: ann })).toEqual({ requests: 2, webhooks: 2, transactions: 2 })
    expect(await read({ [name]: ann })).toEqual([])
    expect(await read({ [name]: bob })).toHaveLength(3)
  })

  it('finds all payments of a person with more than one step can read', async () => {
    const [phone, other] = [freshPhone(), freshPhone()]
    const sums = { sum: 5, sum_minor: 500, currency: 'KZT', status: 1 as const, request_id: null }
    for (let n = 0; n < 110; n++)
      await addTransaction(store, {
        ...{ account: n % 10 === 0 ? other : `+${phone}`, code: freshCode(), ...sums },
        created_at: new Date(),
      })
    const { erase, read } = personsIn(personalData, erasing.env)
    expect(await read({ phone })).toHaveLength(99)
    expect(await erase({ phone })).toEqual({ transactions: 99 })
    expect(await read({ phone: other })).toHaveLength(11)
  })

  it('logs no webhook of a payment that was erased while the webhook was being sent', async () => {
    const ann = `ann-${freshCode()}`
    await pay(ann)
    const [row] = (await personsIn(personalData, erasing.env).read({ user: ann })).filter(
      ({ place }) => place === 'transactions',
    )
    const transaction_id = row!.row.id as number
    await personsIn(personalData, erasing.env).erase({ user: ann })
    for (const isAcknowledged of [false, true])
      await addAttempt(
        store,
        {
          ...{ transaction_id, url: 'http://merchant.test/', request_body: JSON.stringify({ account: ann }) },
          ...{ duration_ms: 1, created_at: new Date() },
        },
        isAcknowledged,
      )
    const logged = await store.db.select().from(store.webhooks)
    expect(logged.filter((attempt) => attempt.transaction_id === transaction_id)).toEqual([])
  })
})
