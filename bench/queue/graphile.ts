// graphile-worker, a peer of the queue benchmark, in a separate process: node bench/queue/graphile.ts <Postgres' URL>
// <the target's URL> <recommended or pushed>
import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker'
import { call } from './call.ts'
import { bulksOf, type Load, loadOf, type QueueContender, rateOf, times, width } from './contender.ts'
import { serve } from './remote.ts'

const [connectionString, url, tuning] = process.argv.slice(2) as [string, string, string]

// The settings that graphile-worker's documentation recommends for a high throughput.
const recommended = (jobs: number) => ({
  localQueue: { size: jobs + 1 },
  completeJobBatchDelay: 25,
  failJobBatchDelay: 25,
})
// The settings of graphile-worker's published benchmarks: many tasks are locked ahead, and stay locked for four hours
// after a crash. Polls for due tasks a hundred times a second instead of every other second.
const pushed = () => ({
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
  pollInterval: 10,
})
const optionsOf = tuning === 'pushed' ? pushed : recommended

const shared = { connectionString, schema: `graphile_${tuning}`, logger: new Logger(() => () => undefined) }
const utils = await makeWorkerUtils({ ...shared, maxPoolSize: width })
await utils.migrate()
let runner: Runner | undefined

serve<QueueContender>({
  fill: async (count) => {
    for (const bulk of bulksOf(count)) await utils.addJobs(bulk.map((payload) => ({ identifier: 'call', payload })))
  },
  start: async (concurrentJobs) => {
    const maxPoolSize = Math.max(10, concurrentJobs + 2)
    runner = await run({
      preset: { worker: { ...shared, concurrentJobs, maxPoolSize, ...optionsOf(concurrentJobs) } },
      taskList: { call: (payload) => call(url, payload as Load) },
      noHandleSignals: true,
    })
  },
  stop: async () => runner?.stop(),
  schedule: (dues) =>
    times(dues.length, (n) => {
      const due = dues[n]!
      return utils.addJob('call', { ...loadOf(n), due }, { runAt: new Date(due) })
    }),
  enqueue: (seconds) => rateOf(seconds, (n) => utils.addJob('unread', loadOf(n))),
})
