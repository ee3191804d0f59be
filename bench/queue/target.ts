// Where all tasks lead: a process of its own that answers at once, and knows which tasks came, and when.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { host } from '../../scripts/stack/port.ts'
import type { Load } from './contender.ts'
import { serve } from './remote.ts'

export type BenchTarget = typeof target

const patience = 30_000

let seen = new Set<number>()
let first = 0
let last = 0
let late: number[] = []
let epoch = 0

// It never closes an idle connection: a request that is just under way there would fail for no reason of its queue's.
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
  /** Forgets what has come. */
  reset: () => {
    seen = new Set()
    late = []
    epoch = sinceEpoch()
  },
  /** How many came each second, once so many different ones have. */
  rate: async (count: number) => {
    await arrived(count)
    return ((count - 1) / (last - first)) * 1_000
  },
  /** By how many milliseconds each was late, once so many different ones have come. */
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
    else if (performance.now() - since > patience) throw new Error(`Only ${seen.size} of ${count} tasks came`)
    before = seen.size
    await pause(100)
  }
}

/** What to add to `performance.now()`; `Date.now()` has no fractions, so it is asked just when it turns. */
function sinceEpoch(): number {
  const before = Date.now()
  let now = before
  while (now === before) now = Date.now()
  return now - performance.now()
}

await once(server, 'listening')
serve(target)
