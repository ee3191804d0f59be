// Benchmark of the one-time passwords: sending, checking, and the limiter.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { post } from '../scripts/lib/post.ts'
import { type Stack, startStack } from '../scripts/stack/stack.ts'
import { line } from './figures.ts'
import type { BenchOperation, BenchRequest } from './operation.ts'
import { limiter } from './otp/component.ts'

/** A random phone among ten million, so that hardly any repeats and reaches its limit. */
const phone = () => `7701${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`

const password = (n: number) => ({ password: String(n % 1_000_000).padStart(6, '0'), lifetime: 300 })

const ip = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

const send = (n: number): BenchRequest => ({
  method: 'POST',
  path: '/sms',
  body: { phone: phone(), ...password(n), message: 'Your code' },
})

const check = (phone: string, password: string): BenchRequest => ({
  method: 'GET',
  path: `/sms/check?${new URLSearchParams({ phone, password })}`,
})

export const operations: BenchOperation[] = [
  { name: 'POST /sms', request: send, floor: 'write' },
  {
    name: 'POST /call, by rules for ip, phone',
    request: (n) => ({ method: 'POST', path: '/call', body: { phone: phone(), ip: ip(n), ...password(n) } }),
    floor: 'write',
  },
  { name: 'GET /sms/check, wrong', request: (n) => check(phone(), String(n)), floor: 'write' },
  { name: 'GET /sms/check, locked', request: (n) => check('77010000000', String(n)), floor: 'object' },
]

/** Prepares the component. The queue worker runs no tasks, because sending messages would share the machine. */
export async function prepare(stack: Stack, origin: string) {
  await post(`${stack.url}/queue`, '/worker/pause', { worker: 'otp' })
  const rules = [
    { minutes: 1, rate: 5 },
    { minutes: 60, rate: 20 },
  ]
  await post(origin, '/limit/call', { ips: [{ minutes: 1, rate: 10_000 }], phones: rules })
}

/** Measures a send and its check in turn, one at a time, and then the limiter alone. */
export async function* compare(origin: string, seconds: number) {
  const [sent, right]: [number[], number[]] = [[], []]
  const ended = performance.now() + seconds * 1_000
  for (let n = 0; performance.now() < ended; n++) {
    const sending = send(n)
    const { phone, password } = sending.body as { phone: string; password: string }
    sent.push(await timeOf(origin, sending, { status: true }))
    right.push(await timeOf(origin, check(phone, password), { status: true }))
  }
  yield line('POST /sms, alone', { p50: at(sent, 0.5), p99: at(sent, 0.99) })
  yield line('GET /sms/check, right, alone', { p50: at(right, 0.5), p99: at(right, 0.99) })
  yield* decisions(seconds)
}

async function timeOf(
  origin: string,
  { method, path, body }: BenchRequest,
  expected: { status: boolean },
): Promise<number> {
  const before = performance.now()
  const response = await fetch(origin + path, { method, ...(body && { body: JSON.stringify(body) }) })
  const reply = (await response.json()) as { status: boolean }
  if (reply.status !== expected.status) throw new Error(`${method} ${path} answered ${response.status}`)
  return performance.now() - before
}

const at = (times: number[], share: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!

async function* decisions(seconds: number) {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-limiter-'))
  const stack = await startStack({
    port: 0,
    stateDir,
    components: [limiter],
    containers: [],
    log: () => undefined,
    direct: ['limiter'],
  })
  try {
    for (const [name, keys, rate] of [
      ['decisions on one key, accepted', 1, 10_000],
      ['decisions on one key, refused', 1, 5],
      ['decisions on 1 000 keys', 1_000, 5],
    ] as const) {
      const query = new URLSearchParams({ keys: String(keys), rate: String(rate), ms: String(seconds * 1_000) })
      const response = await fetch(`${stack.origins.limiter}/?${query}`)
      const { decided, accepted } = (await response.json()) as { decided: number; accepted: number }
      yield line(name, { rate: decided / seconds }, `${accepted} accepted`)
    }
  } finally {
    await stack.dispose()
    await rm(stateDir, { recursive: true })
  }
}
