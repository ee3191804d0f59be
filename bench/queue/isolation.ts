// Measures whether a dead key delays another one: many tasks for a server that never answers, and then tasks of other keys.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { host } from '../../scripts/stack/port.ts'
import type { Measured } from '../load.ts'
import { wireTo } from '../wire.ts'
import { loadOf, times, width } from './contender.ts'
import type { Remote } from './remote.ts'
import type { BenchTarget } from './target.ts'
import { isolated } from './workers.ts'

/** Timeout of the tasks of the dead key, in seconds: longer than the measurement. */
const timeout = 900

/** Delay between the due time of a task and its arrival, with a number of tasks of a dead key in front of it. */
export async function isolation(
  origin: string,
  target: Remote<BenchTarget>,
  seconds: number,
  deadTasks: number,
): Promise<Pick<Measured, 'p50' | 'p99'>> {
  const silent = await startSilent()
  const wires = Array.from({ length: width }, () => wireTo(origin))
  const post = async (body: object, lane: number) => {
    const status = await wires[lane]!.ask({ method: 'POST', path: '/task', body: { worker: isolated, ...body } })
    if (status !== 200) throw new Error(`POST /task answered ${status}`)
  }
  try {
    await target.reset()
    await times(deadTasks, (n, lane) => post({ key: 'dead', url: silent.url, timeout, json: loadOf(n) }, lane))
    const url = await target.url()
    const count = Math.ceil(seconds * 100)
    // Late enough that all tasks are created before the first one is due.
    const start = Date.now() + 5_000
    await times(count, (n, lane) => {
      const due = start + n * 20
      const json = { ...loadOf(n), due }
      return post({ key: `key-${n % 10}`, url, json, datetime: new Date(due).toISOString() }, lane)
    })
    const late = (await target.lateness(count)).sort((one, other) => one - other)
    const at = (share: number) => late[Math.floor(late.length * share)]!
    return { p50: at(0.5), p99: at(0.99) }
  } finally {
    silent.close()
  }
}

/** Starts a server that accepts connections and never answers. */
async function startSilent() {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
  }).listen(0, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
