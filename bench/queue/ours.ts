// The client of our queue in the benchmark, in a separate process: node bench/queue/ours.ts <its origin> <the target's
// URL>
import { wireTo } from '../wire.ts'
import { loadOf, type QueueContender, rateOf, times, width } from './contender.ts'
import { serve } from './remote.ts'
import { unread, workerOf } from './workers.ts'

const [origin, url] = process.argv.slice(2) as [string, string]
const wires = Array.from({ length: width }, () => wireTo(origin))
let running = 0

async function post(path: string, body: object, lane = 0) {
  const status = await wires[lane]!.ask({ method: 'POST', path, body })
  if (status !== 200) throw new Error(`POST ${path} answered ${status}`)
}

const pause = (worker: string) => post('/worker/pause', { worker })

serve<QueueContender>({
  fill: async (count, daemons) => {
    const worker = workerOf(daemons)
    await pause(worker)
    await times(count, (n, lane) => post('/task', { worker, url, json: loadOf(n) }, lane))
  },
  start: (daemons) => {
    running = daemons
    return post('/worker/resume', { worker: workerOf(daemons) })
  },
  stop: () => pause(workerOf(running)),
  schedule: (dues) =>
    times(dues.length, (n, lane) => {
      const due = dues[n]!
      const datetime = new Date(due).toISOString()
      return post('/task', { worker: workerOf(1), url, json: { ...loadOf(n), due }, datetime }, lane)
    }),
  enqueue: async (seconds) => {
    await pause(unread)
    return rateOf(seconds, (n, lane) => post('/task', { worker: unread, url, json: loadOf(n) }, lane))
  },
})
