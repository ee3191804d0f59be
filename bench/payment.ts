// Benchmark of the payments: notifications, webhooks and the payment page.
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../scripts/lib/server.ts'
import { components } from '../scripts/stack/components.ts'
import { startStack } from '../scripts/stack/stack.ts'
import { line } from './figures.ts'
import type { BenchOperation, BenchRequest } from './operation.ts'

/**
 * Variables of the stack. Without a URL, no webhooks are sent, since they would share the machine. The payment page is
 * configured as in a deployment.
 */
export const variables = { PAYMENT_WEBHOOK_URL: '', PAYMENT_PUBLIC_ID: 'pk_bench' }

/** A random transaction id, so that hardly any payment is a duplicate. */
const fresh = () => String(randomInt(2 ** 47))

const notification = (path: string, TransactionId: string): BenchRequest => ({
  method: 'POST',
  path,
  body: {
    TransactionId,
    Amount: '10500.50',
    Currency: 'KZT',
    AccountId: 'aigerim',
    Status: 'Completed',
    TestMode: '0',
  },
})

export const operations: BenchOperation[] = [
  { name: 'POST /check', request: () => notification('/check', fresh()), floor: 'write' },
  { name: 'POST /pay, new', request: () => notification('/pay', fresh()), floor: 'write' },
  { name: 'POST /pay, repeated', request: () => notification('/pay', '1'), floor: 'write' },
  {
    name: 'GET /transactions, 10',
    request: () => ({ method: 'GET', path: '/transactions?account=aigerim&limit=10' }),
    floor: 'read',
  },
  {
    name: 'GET /pub/card',
    request: (n) => ({
      method: 'GET',
      path: `/pub/card?account=${n}&sum=10500.50&description=Order+${n}&currency=KZT`,
    }),
    // The baseline is a write, since every request writes to the request log.
    floor: 'write',
  },
]

const pays = 16

/**
 * Measures payments with an operator that replies at once: how fast payments are accepted, and how fast their webhooks
 * are sent.
 */
export async function* compare(_: string, seconds: number) {
  const arrived: number[] = []
  const operator = await listen((request, response) => {
    arrived.push(performance.now())
    request.resume().once('end', () => response.end())
  })
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-payment-'))
  const stack = await startStack({
    port: 0,
    stateDir,
    variables: { PAYMENT_WEBHOOK_URL: operator.url },
    components: components().filter(({ name }) => name === 'payment'),
    containers: [],
    log: () => undefined,
    direct: ['payment'],
  })
  try {
    const began = performance.now()
    const taken: number[] = []
    const pay = async () => {
      while (performance.now() - began < seconds * 1_000) {
        const { path, method, body } = notification('/pay', fresh())
        await (await fetch(stack.origins.payment + path, { method, body: JSON.stringify(body) })).text()
        taken.push(performance.now())
      }
    }
    await Promise.all(Array.from({ length: pays }, pay))
    while (arrived.length < taken.length) await pause(10)
    yield line('payments taken meanwhile', { rate: taken.length / seconds })
    yield line('webhooks, in order', { rate: (1_000 * arrived.length) / (arrived.at(-1)! - began) })
  } finally {
    await stack.dispose()
    operator.close()
    await rm(stateDir, { recursive: true })
  }
}
