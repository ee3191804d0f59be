// The transcoding jobs of this server, by id.
import { busy, HttpError } from '../../shared/http-error.ts'
import { type JobContext, type NewTranscodingJob, TranscodingJob } from './job.ts'

/** Time without requests after which a job and its files are removed. */
const idleTimeoutMs = 30 * 60_000

interface Entry {
  job: TranscodingJob
  lastUsedAt: number
}

export class Jobs {
  readonly #context: JobContext
  readonly #entries = new Map<string, Entry>()

  constructor(context: JobContext) {
    this.#context = context
  }

  get size() {
    return this.#entries.size
  }

  /** Returns the job with this id, or creates it. Throws 503 if the maximum number of jobs is running. */
  async begin(id: string, parameters: NewTranscodingJob): Promise<TranscodingJob> {
    if (this.#entries.has(id)) return this.find(id)
    const working = [...this.#entries.values()].filter(({ job }) => job.isBusy)
    if (working.length >= this.#context.settings.maxJobs) throw busy()
    const job = new TranscodingJob(id, parameters, this.#context)
    this.#entries.set(id, { job, lastUsedAt: Date.now() })
    await job.begin().catch(async (error) => {
      if (this.#entries.get(id)?.job === job) this.#entries.delete(id)
      // An error of the cleanup is ignored, since it would hide the error that made the job fail.
      await job.remove().catch(() => undefined)
      throw error
    })
    return job
  }

  /** Finds a job. Throws 404 if there is none. */
  find(id: string): TranscodingJob {
    const entry = this.#entries.get(id)
    if (!entry) throw new HttpError(404, 'job_not_found', `No job has the id ${id}`)
    entry.lastUsedAt = Date.now()
    return entry.job
  }

  async remove(id: string) {
    const job = this.find(id)
    this.#entries.delete(id)
    await job.remove()
  }

  async removeIdle(now = Date.now()) {
    const idle = [...this.#entries].filter(([, { lastUsedAt }]) => now - lastUsedAt > idleTimeoutMs)
    await Promise.all(idle.map(([id]) => this.remove(id)))
  }

  async removeAll() {
    await Promise.all([...this.#entries.keys()].map((id) => this.remove(id)))
  }
}
