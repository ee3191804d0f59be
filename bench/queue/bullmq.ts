// BullMQ, a peer of the queue benchmark, in a separate process: node bench/queue/bullmq.ts <Redis' port> <the target's
// URL>
import { Queue, Worker } from 'bullmq'
import { call } from './call.ts'
import { bulksOf, type Load, loadOf, type QueueContender, rateOf, times } from './contender.ts'
import { serve } from './remote.ts'

const [port, url] = process.argv.slice(2) as [string, string]
const connection = { host: '127.0.0.1', port: Number(port) }

// Jobs are deleted when they end, which is BullMQ's cheapest setting.
const options = { connection, defaultJobOptions: { removeOnComplete: true } }
const queue = new Queue('run', options)
const unread = new Queue('unread', options)
let worker: Worker<Load> | undefined

serve<QueueContender>({
  fill: async (count) => {
    for (const bulk of bulksOf(count)) await queue.addBulk(bulk.map((data) => ({ name: 'call', data })))
  },
  start: async (concurrency) => {
    worker = new Worker('run', ({ data }) => call(url, data), { connection, concurrency })
    await worker.waitUntilReady()
  },
  stop: async () => worker?.close(),
  schedule: (dues) =>
    times(dues.length, (n) => {
      const [due, timestamp] = [dues[n]!, Date.now()]
      return queue.add('call', { ...loadOf(n), due }, { delay: due - timestamp, timestamp })
    }),
  enqueue: (seconds) => rateOf(seconds, (n) => unread.add('call', loadOf(n))),
})
