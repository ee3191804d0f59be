import { WorkerEntrypoint } from 'cloudflare:workers'
import { counter } from '#core/metrics/families'
import { type MetricsEnv, scheduleFlush } from '#core/metrics/flush'
import { describe, log } from './log.ts'

interface Served<Env> {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response>
}

/** What the gateway's clock may call on a component, besides its HTTP surface. */
export interface Sweepable {
  sweep(): Promise<void>
}

const countSweep = counter(
  'quartermaster_sweeps_total',
  'What a component does every minute, by outcome: done or failed.',
)

/**
 * A component as a Worker. `sweeps` are what it does every minute: remove what has expired, take up what a crash left. One
 * that fails is logged, and keeps none from its turn.
 * The class is generic over the configuration's generated types, so that the compiler proves that it binds what the code needs.
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
