// Makes the Worker class of a component: it serves HTTP requests, runs background work every minute, and erases and exports the
// data of a person for the gateway.
import { WorkerEntrypoint } from 'cloudflare:workers'
import { counter } from '#core/metrics/families'
import { type MetricsEnv, scheduleFlush } from '#core/metrics/flush'
import { type Erasable, eraseSteps, exportStep, type Person, type PersonalPlace } from '#core/person/places'
import { describe, log } from './log.ts'
import { isDue, type Sweep } from './sweep-schedule.ts'

interface Served<Env> {
  about: { name: string }
  /** Where the component stores data of persons, which the gateway erases and exports. */
  personalData?: readonly PersonalPlace<Env>[]
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response>
}

/** The component with the places of its data of persons. */
export const withPersonalData = <Env>(app: Served<Env>, personalData: readonly PersonalPlace<Env>[]): Served<Env> => ({
  about: app.about,
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
  personalData,
})

/**
 * The RPC method of a component. The gateway's cron trigger calls it every minute, since only the gateway has a cron
 * trigger.
 */
export interface Sweepable {
  /** `at`: the minute of the cron trigger, in milliseconds since 1970. Without it, work that is not due every minute is done too. */
  sweep(at?: number): Promise<void>
}

const countSweep = counter(
  'quartermaster_sweeps_total',
  'Runs of the work that a component does every minute, by outcome: done or failed.',
)

/** Minutes after which the sweeps of an isolate are counted: counting sends a request to the meter, also if the component is idle. */
const countMinutes = 5

/**
 * Makes the Worker class of a component. `sweeps` run every minute, such as deleting expired rows and resuming work
 * that a crash interrupted; a sweep that fails is logged, and the next ones still run. `Env` is the generated type of
 * the Worker's bindings, so that the compiler checks that `wrangler.toml` binds everything that the code needs.
 */
export const worker = <Env extends object & MetricsEnv>(app: Served<Env>, ...sweeps: Sweep<Env>[]) => {
  let uncounted = 0
  return class extends WorkerEntrypoint<Env> implements Sweepable, Erasable {
    override fetch(request: Request) {
      return app.fetch(request, this.env, this.ctx)
    }

    async sweep(at?: number) {
      for (const sweep of sweeps) {
        if (!isDue(sweep.everyMinutes ?? 1, at)) continue
        try {
          await sweep(this.env)
          uncounted++
        } catch (error) {
          countSweep({ outcome: 'failed' })
          log('error', { component: app.about.name, route: 'sweep', ...describe(error) })
        }
      }
      if (uncounted > 0 && isDue(countMinutes, at)) {
        countSweep({ outcome: 'done' }, uncounted)
        uncounted = 0
      }
      scheduleFlush(this.env)
    }

    /** Runs the next steps that erase the data of a person. The gateway calls it until it returns no cursor. */
    erasePerson(person: Person, cursor?: string) {
      return withoutDetails(app.about.name, 'erase', eraseSteps(app.personalData ?? [], this.env, person, cursor))
    }

    /** Reads the next part of the data of a person. The gateway calls it until it returns no cursor. */
    exportPerson(person: Person, cursor?: string) {
      return withoutDetails(app.about.name, 'export', exportStep(app.personalData ?? [], this.env, person, cursor))
    }
  }
}

/** Logs an error here, and throws another one: the message of a failed query has the identifiers of the person. */
async function withoutDetails<Result>(component: string, route: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    log('error', { component, route, ...describe(error) })
    throw new Error(`The step failed (${route}). The log of the component has the error`)
  }
}
