// The server that all tasks of the queue benchmark call, in a separate process. Replies at once, and records which
// tasks arrived when.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { host } from '../../scripts/stack/port.ts'
import type { Load } from './contender.ts'
import { serve } from './remote.ts'

export type BenchTarget = typeof target

const arrivalTimeoutMs = 30_000

let seen = new Set<number>()
let first = 0
let last = 0
let late: number[] = []
let epoch = 0

// Connections do not expire, because a request that arrives while its connection is being closed would fail.
const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const at = performance.now()
  let body = ''
  request.setEncoding('latin1')
  request.on('data', (text: string) => (body += text))
  request.on('end', () => {
    response.writeHead(200, { 'content-length': 0 }).end()
    take(JSON.parse(body) as Load, at)
  })
}).listen(0, host)

function take({ n, due }: Load, at: number) {
  if (seen.has(n)) return
  if (seen.size === 0) first = at
  seen.add(n)
  last = at
  if (due !== undefined) late.push(epoch + at - due)
}

const target = {
  url: () => `http://${host}:${(server.address() as AddressInfo).port}/task`,
  /** Forgets all arrivals before a new measurement. */
  reset: () => {
    seen = new Set()
    late = []
    epoch = sinceEpoch()
  },
  /** Resolves when `count` different tasks have arrived, with the number of arrivals a second. */
  rate: async (count: number) => {
    await arrived(count)
    return ((count - 1) / (last - first)) * 1_000
  },
  /** Resolves when `count` different tasks have arrived, with the lateness of each in milliseconds. */
  lateness: async (count: number) => {
    await arrived(count)
    return late
  },
}

async function arrived(count: number) {
  let before = -1
  let since = performance.now()
  while (seen.size < count) {
    if (seen.size !== before) since = performance.now()
    else if (performance.now() - since > arrivalTimeoutMs) throw new Error(`Only ${seen.size} of ${count} tasks came`)
    before = seen.size
    await pause(100)
  }
}

/**
 * Offset from `performance.now()` to Unix time. `Date.now()` has no fractions of milliseconds, so it is read at the
 * moment when it changes.
 */
function sinceEpoch(): number {
  const before = Date.now()
  let now = before
  while (now === before) now = Date.now()
  return now - performance.now()
}

await once(server, 'listening')
serve(target)
