// The processor: tells of each payment, in copies, each again and again until it is answered.
import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../lib/random.ts'
import type { Checked, ListedPayment, Paid } from './record.ts'

export const secret = 'the secret of a chaos run'

export interface Processing {
  url: string
  random: Random
  size: number
  /** How many payments the operator has acknowledged. */
  done(): number
  onRefusal(line: string): void
}

/** How far it goes ahead of the webhooks, so that kills come while payments arrive and not only afterwards. */
const ahead = 60

const firstCode = 3_000_000_000

/** Tells of so many payments, several at once; every fifth account is asked about before. */
export async function process({ url, random, size, done, onRefusal }: Processing) {
  const paid: Paid[] = Array.from({ length: size }, (_, number) => {
    const minor = random.between(1, 10_000_000)
    return { number, code: String(firstCode + number), account: `account ${random.between(1, 50)} & Ән`, minor }
  })
  const checked: Checked[] = []
  let next = 0
  const one = async () => {
    for (let payment = paid[next++]; payment; payment = paid[next++]) {
      while (payment.number > done() + ahead) await pause(5)
      if (payment.number % 5 === 0) checked.push(...(await check(url, payment, onRefusal)))
      const copies = Array.from({ length: random.between(1, 3) }, (_, copy) => pay(url, payment, copy, onRefusal))
      await Promise.all(copies)
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return { paid, checked }
}

async function check(url: string, payment: Paid, onRefusal: Processing['onRefusal']): Promise<Checked[]> {
  const asked = [payment.account, `unknown ${payment.number}`]
  return Promise.all(
    asked.map(async (account) => ({
      account,
      code: await insist(url, '/check', { ...payment, account, code: `9${payment.code}` }, 0, [0, 11], onRefusal),
    })),
  )
}

const pay = (url: string, payment: Paid, copy: number, onRefusal: Processing['onRefusal']) =>
  insist(url, '/pay', payment, copy, [0], onRefusal)

/** Repeats a notification until it is answered with one of these codes. */
async function insist(
  url: string,
  path: string,
  payment: Paid,
  copy: number,
  codes: number[],
  onRefusal: Processing['onRefusal'],
): Promise<number> {
  for (;;) {
    const reply = await send(`${url}/payment${path}`, payment, copy).catch(() => undefined)
    const code = reply?.status === 200 ? (JSON.parse(reply.text) as { code: number }).code : undefined
    if (code !== undefined && codes.includes(code)) return code
    // The runtime itself says 503 while it starts.
    if (reply && (reply.status !== 503 || reply.text.includes('status_code')))
      onRefusal(`${reply.status} ${reply.text}`)
    await pause(50)
  }
}

/** One copy comes in the query, the others as a form or JSON. */
async function send(url: string, { code, account, minor }: Paid, copy: number) {
  const amount = (minor / 100).toFixed(2)
  const fields = { TransactionId: code, Amount: amount, Currency: 'KZT', AccountId: account, Status: 'Completed' }
  const text = copy === 1 ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
  const headers = { 'content-hmac': createHmac('sha256', secret).update(text).digest('base64') }
  const signal = AbortSignal.timeout(30_000)
  const reply = await (copy === 0
    ? fetch(`${url}?${text}`, { headers, signal })
    : fetch(url, { method: 'POST', body: text, headers, signal }))
  return { status: reply.status, text: await reply.text() }
}

/** All payments that there are, page by page; none where it does not answer now. */
export async function listStored(url: string): Promise<ListedPayment[]> {
  const stored: ListedPayment[] = []
  for (;;) {
    const query = `limit=1000&offset=${stored.length}`
    const reply = await fetch(`${url}/payment/transactions?${query}`).catch(() => undefined)
    if (reply?.status !== 200) return []
    const { transactions } = ((await reply.json()) as { content: { transactions: ListedPayment[] } }).content
    if (transactions.length === 0) return stored
    stored.push(...transactions)
  }
}
