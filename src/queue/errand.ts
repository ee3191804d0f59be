import { WorkerEntrypoint } from 'cloudflare:workers'
import { type TaskRequest as Asked, type PerformEnv, perform, type RequestOutcome } from './perform.ts'

/** What became of one of several errands, by its place among them. */
interface Report {
  at: number
  outcome: RequestOutcome
}

/** How many requests one run makes: an invocation has six connections. */
export const errandsPerRun = 5

/** Makes requests for a backlog, in an invocation of their own. */
export class Errand extends WorkerEntrypoint<PerformEnv> {
  /** Makes all of them at once, and reports each as it ends; what ends in the same moment is reported together. */
  async run(errands: Asked[], report: (reports: Report[]) => Promise<void>): Promise<void> {
    const ended: Report[] = []
    let telling: Promise<void> | undefined
    const tell = async () => {
      await scheduler.wait(0)
      telling = undefined
      await report(ended.splice(0))
    }
    await Promise.all(
      errands.map(async (errand, at) => {
        ended.push({ at, outcome: await perform(this.env, errand) })
        telling ??= tell()
        await telling
      }),
    )
  }
}
