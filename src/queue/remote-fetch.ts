// Worker entrypoint that sends requests for a backlog in separate invocations, since each has at most six connections.
import { WorkerEntrypoint } from 'cloudflare:workers'
import { type RequestEnv, type RequestOutcome, sendRequest, type TaskRequest } from './task-request.ts'

/** The outcome of one request of a run, by its index. */
interface Report {
  index: number
  outcome: RequestOutcome
}

/** Requests per run: fewer than the six connections of an invocation. */
export const requestsPerRun = 5

export class RemoteFetch extends WorkerEntrypoint<RequestEnv> {
  /** Sends all requests at once and reports each outcome; outcomes of the same event loop turn are reported together. */
  async run(requests: TaskRequest[], report: (reports: Report[]) => Promise<void>): Promise<void> {
    const ended: Report[] = []
    let reporting: Promise<void> | undefined
    const reportEnded = async () => {
      await scheduler.wait(0)
      reporting = undefined
      await report(ended.splice(0))
    }
    await Promise.all(
      requests.map(async (request, index) => {
        ended.push({ index, outcome: await sendRequest(this.env, request) })
        reporting ??= reportEnded()
        await reporting
      }),
    )
  }
}
