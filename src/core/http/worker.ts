// Makes the Worker class of a component: it serves HTTP requests, and runs background work every minute.
import { WorkerEntrypoint } from 'cloudflare:workers'
import { counter } from '#core/metrics/families'
import { type MetricsEnv, scheduleFlush } from '#core/metrics/flush'
import { describe, log } from './log.ts'

interface Served<Env> {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response>
}

/**
 * The RPC method of a component. The gateway's cron trigger calls it every minute, since only the gateway has a cron
 * trigger.
 */
export interface Sweepable {
  sweep(): Promise<void>
}

const countSweep = counter(
  'quartermaster_sweeps_total',
  'Runs of the work that a component does every minute, by outcome: done or failed.',
)

/**
 * Makes the Worker class of a component. `sweeps` run every minute, such as deleting expired rows and resuming work
 * that a crash interrupted; a sweep that fails is logged, and the next ones still run. `Env` is the generated type of
 * the Worker's bindings, so that the compiler checks that `wrangler.toml` binds everything that the code needs.
 */
export const worker = <Env extends object & MetricsEnv>(
  app: Served<Env> & { about: { name: string } },
  ...sweeps: ((env: Env) => Promise<void>)[]
) =>
  class extends WorkerEntrypoint<Env> implements Sweepable {
    override fetch(request: Request) {
      return app.fetch(request, this.env, this.ctx)
    }

    async sweep() {
      for (const sweep of sweeps) {
        try {
          await sweep(this.env)
          countSweep({ outcome: 'done' })
        } catch (error) {
          countSweep({ outcome: 'failed' })
          log('error', { component: app.about.name, route: 'sweep', ...describe(error) })
        }
      }
      scheduleFlush(this.env)
    }
  }
