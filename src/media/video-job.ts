// Durable object that transcodes one video: its alarms run the steps in transcoding.ts, and retry the steps that fail.
import { DurableObject } from 'cloudflare:workers'
import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { NewJob } from './container-jobs.ts'
import type { StorageEnv } from './env.ts'
import { advance, cancelRun, runOf, type TranscodingStep, type Work } from './transcoding.ts'

/**
 * Time in milliseconds for which one alarm runs steps. The rest is left to the next alarm, since the runtime limits the duration of
 * an alarm.
 */
const alarmBudgetMs = 20_000

/**
 * Delay between polls of the container: a twentieth of the job's age, within these limits. A short video is ready soon, and a long
 * one needs few requests.
 */
const pollDelay = { minMs: 100, maxMs: 2_000, shareOfAge: 1 / 20 }

/** Exponential backoff in milliseconds after a failed step. */
const backoff = { minMs: 1_000, maxMs: 60_000 }

/** Delay in milliseconds of the next alarm, which each alarm sets before it works: if the alarm is killed, the job resumes then. */
const watchdogMs = 60_000

/**
 * Runs the transcoding of one video. The state is stored between steps, so that the job resumes after a crash of this object or of
 * the container. While the container is down, the job retries without limit.
 */
export class VideoJob extends DurableObject<StorageEnv> {
  #waiters: (() => void)[] = []

  constructor(ctx: DurableObjectState, env: StorageEnv) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(() => this.#resumeEarly())
  }

  /**
   * Starts a run of a video, unless this run has started. A run with another number is replaced, since a retry increments the
   * number.
   */
  async start(digest: string, job: NewJob, run: number): Promise<void> {
    const started = Date.now()
    if (!this.#isAt(run))
      this.ctx.storage.kv.put('work', {
        ...job,
        digest,
        run,
        started,
        attempts: 0,
        progress: 0,
        isRunning: false,
      } satisfies Work)
    await this.resume(run)
  }

  /** Makes sure that an alarm is set for a run. Returns false if this object has no such run, as after a crash before the start. */
  async resume(run: number): Promise<boolean> {
    if (!this.#isAt(run)) return false
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + 1)
    return true
  }

  /** Returns the progress of the transcoding from 0 to 1. */
  progress(): number {
    return this.#work()?.progress ?? 0
  }

  /** Resolves when the job ends, at the latest after `timeoutMs` milliseconds. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#work()) return
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve)
      setTimeout(resolve, timeoutMs)
    })
  }

  /** Cancels the job. The video keeps its state in the database. */
  async cancel(): Promise<void> {
    const work = this.#work()
    if (!work) return
    await this.#forget(work)
    await cancelRun(this.env, work)
  }

  override async alarm() {
    await this.ctx.storage.setAlarm(Date.now() + watchdogMs)
    const end = Date.now() + alarmBudgetMs
    while (Date.now() < end) {
      const work = this.#work()
      if (!work) break
      const step = await this.#attempt(work)
      if (step === 'ended') {
        await this.#forget(work)
        break
      }
      if (typeof step === 'number') return this.ctx.storage.setAlarm(Date.now() + step)
      if (step === 'waiting') await scheduler.wait(this.#pollDelayMs())
    }
    if (this.#work()) await this.ctx.storage.setAlarm(Date.now() + 1)
    else await this.ctx.storage.deleteAlarm()
  }

  /** Runs a step. Returns the delay of the retry in milliseconds if the step failed. */
  async #attempt(work: Work): Promise<TranscodingStep | number> {
    try {
      const step = await advance(this.env, work, (change) => this.#save(work, change))
      this.ctx.storage.kv.delete('misses')
      return step
    } catch (error) {
      if (!this.#isAt(runOf(work))) return 'ended'
      // A container that is down is expected, and each job retries often: the log would be flooded.
      if (!Failure.is(error) || error.code !== 'unavailable')
        log('error', { component: 'media', route: 'video job', ...describe(error) })
      const misses = (this.ctx.storage.kv.get<number>('misses') ?? 0) + 1
      this.ctx.storage.kv.put('misses', misses)
      return Math.min(backoff.minMs * 2 ** (misses - 1), backoff.maxMs)
    }
  }

  /**
   * Resumes the job at once when a request wakes this object after a crash. Otherwise the job would wait for the watchdog alarm, up
   * to a minute.
   */
  async #resumeEarly() {
    const next = this.#work() && (await this.ctx.storage.getAlarm())
    if (next && next > Date.now()) await this.ctx.storage.setAlarm(Date.now() + 1)
  }

  #pollDelayMs() {
    const ageMs = Date.now() - (this.#work()?.started ?? 0)
    return Math.min(Math.max(ageMs * pollDelay.shareOfAge, pollDelay.minMs), pollDelay.maxMs)
  }

  #work() {
    return this.ctx.storage.kv.get<Work>('work')
  }

  /** Whether the stored state is that of the run with this number. */
  #isAt(run: number): boolean {
    const work = this.#work()
    return work !== undefined && runOf(work) === run
  }

  #save(of: Work, change: Partial<Work>): boolean {
    const work = this.#work()
    if (!work || runOf(work) !== runOf(of)) return false
    this.ctx.storage.kv.put('work', { ...work, ...change })
    return true
  }

  /** Deletes the stored state of a run and wakes the waiting requests, unless a later run has replaced it. */
  async #forget(of: Work) {
    const work = this.#work()
    if (work && runOf(work) !== runOf(of)) return
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    for (const resolve of this.#waiters.splice(0)) resolve()
  }
}
