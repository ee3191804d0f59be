// Stand-in for the payment processor in a chaos run: sends the notifications of each payment, some in duplicate, and
// retries each until it gets a reply.
import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../lib/random.ts'
import type { AccountCheck, ChaosPayment, ListedPayment } from './record.ts'

export const secret = 'the secret of a chaos run'

export interface ProcessorOptions {
  url: string
  random: Random
  size: number
  /**
   * Number of payments whose webhook the operator has acknowledged. The processor stays at most `maxAhead` payments ahead of
   * it.
   */
  done(): number
  onErrorReply(line: string): void
}

/**
 * Maximum number of payments ahead of the webhooks. With more, all notifications would be sent early, and later kills
 * would hit webhooks only.
 */
const maxAhead = 60

const firstCode = 3_000_000_000

/** Sends the notifications of `size` payments, several at once. Every fifth payment is preceded by a check of the account. */
export async function process({ url, random, size, done, onErrorReply }: ProcessorOptions) {
  const paid: ChaosPayment[] = Array.from({ length: size }, (_, number) => {
    const minor = random.between(1, 10_000_000)
    return { number, code: String(firstCode + number), account: `account ${random.between(1, 50)} & Ән`, minor }
  })
  const checked: AccountCheck[] = []
  let next = 0
  const one = async () => {
    for (let payment = paid[next++]; payment; payment = paid[next++]) {
      while (payment.number > done() + maxAhead) await pause(5)
      if (payment.number % 5 === 0) checked.push(...(await check(url, payment, onErrorReply)))
      const copies = Array.from({ length: random.between(1, 3) }, (_, copy) => pay(url, payment, copy, onErrorReply))
      await Promise.all(copies)
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return { paid, checked }
}

async function check(
  url: string,
  payment: ChaosPayment,
  onErrorReply: ProcessorOptions['onErrorReply'],
): Promise<AccountCheck[]> {
  const accounts = [payment.account, `unknown ${payment.number}`]
  return Promise.all(
    accounts.map(async (account) => ({
      account,
      code: await insist(url, '/check', { ...payment, account, code: `9${payment.code}` }, 0, [0, 11], onErrorReply),
    })),
  )
}

const pay = (url: string, payment: ChaosPayment, copy: number, onErrorReply: ProcessorOptions['onErrorReply']) =>
  insist(url, '/pay', payment, copy, [0], onErrorReply)

/** Sends a notification until the reply has one of these codes, and returns the code. */
async function insist(
  url: string,
  path: string,
  payment: ChaosPayment,
  copy: number,
  codes: number[],
  onErrorReply: ProcessorOptions['onErrorReply'],
): Promise<number> {
  for (;;) {
    const reply = await send(`${url}/payment${path}`, payment, copy).catch(() => undefined)
    const code = reply?.status === 200 ? (JSON.parse(reply.text) as { code: number }).code : undefined
    if (code !== undefined && codes.includes(code)) return code
    // A 503 without an error code is not recorded, since the runtime replies so while it starts.
    if (reply && (reply.status !== 503 || reply.text.includes('status_code')))
      onErrorReply(`${reply.status} ${reply.text}`)
    await pause(50)
  }
}

/**
 * Sends one copy of a notification in each format that processors use: copy 0 in the query, copy 1 as JSON, and the
 * others as a form.
 */
async function send(url: string, { code, account, minor }: ChaosPayment, copy: number) {
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

/** Lists all stored payments, page by page. Returns none if a call fails, since the stack may just have been killed. */
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
