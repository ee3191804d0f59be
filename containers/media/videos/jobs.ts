// All videos that are here.
import { busy, HttpError } from '../../shared/http-error.ts'
import { type JobContext, type NewTranscodingJob, TranscodingJob } from './job.ts'

/** Milliseconds after which a job that nobody asks about is given up. */
const patience = 30 * 60_000

interface Entry {
  job: TranscodingJob
  askedAt: number
}

export class Jobs {
  readonly #place: JobContext
  readonly #entries = new Map<string, Entry>()

  constructor(place: JobContext) {
    this.#place = place
  }

  get size() {
    return this.#entries.size
  }

  /** The one that has this id, else a new one; 503 when as many as may be are at work. */
  async begin(id: string, asked: NewTranscodingJob): Promise<TranscodingJob> {
    if (this.#entries.has(id)) return this.find(id)
    const working = [...this.#entries.values()].filter(({ job }) => job.isBusy)
    if (working.length >= this.#place.settings.maxJobs) throw busy()
    const job = new TranscodingJob(id, asked, this.#place)
    this.#entries.set(id, { job, askedAt: Date.now() })
    await job.begin().catch(async (error) => {
      if (this.#entries.get(id)?.job === job) this.#entries.delete(id)
      // Its own failure would hide what went wrong.
      await job.remove().catch(() => undefined)
      throw error
    })
    return job
  }

  /** 404 where there is none. */
  find(id: string): TranscodingJob {
    const entry = this.#entries.get(id)
    if (!entry) throw new HttpError(404, 'job_not_found', 'There is no such job')
    entry.askedAt = Date.now()
    return entry.job
  }

  async remove(id: string) {
    const job = this.find(id)
    this.#entries.delete(id)
    await job.remove()
  }

  async removeIdle(now = Date.now()) {
    const idle = [...this.#entries].filter(([, { askedAt }]) => now - askedAt > patience)
    await Promise.all(idle.map(([id]) => this.remove(id)))
  }

  async removeAll() {
    await Promise.all([...this.#entries.keys()].map((id) => this.remove(id)))
  }
}
