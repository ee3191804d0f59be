import { describe, expect, it } from 'vitest'
import { personalData } from '#payment/person'
import { addTransaction } from '#payment/transactions'
import { databases } from '../support/databases.ts'
import { personsIn } from '../support/person.ts'
import { freshCode, paymentOn } from './support.ts'

describe.each(databases)('a person in the payments on $dialect', (database) => {
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
})
