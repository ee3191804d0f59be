import { DurableObject } from 'cloudflare:workers'
import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { NewJob } from './container-jobs.ts'
import type { StorageEnv } from './env.ts'
import { advance, giveUp, runOf, type TranscodingStep, type Work } from './transcoding.ts'

/** In milliseconds: how long an alarm goes from step to step. */
const stretch = 20_000

/** In milliseconds: the wait after a step that found nothing to do, a twentieth of what the job has taken so far. */
const pause = { least: 100, most: 2_000, share: 1 / 20 }

/** In milliseconds: the wait after a step that failed, doubled for each in a row. */
const backoff = { least: 1_000, most: 60_000 }

/** When the next alarm begins in any case: the one that should begin it may be killed. */
const watch = 60_000

/**
 * Has one video transcoded. Its alarm goes from step to step, and what a step needs is stored before it: after a crash on either
 * side it goes on, or begins again, and it waits for a container that is down for as long as it takes.
 */
export class VideoJob extends DurableObject<StorageEnv> {
  #waiting: (() => void)[] = []

  constructor(ctx: DurableObjectState, env: StorageEnv) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(() => this.#hurry())
  }

  /** Begins a run of a video, unless it has begun. An earlier run is replaced. */
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

  /** Continues a run that has begun; false if it has not. */
  async resume(run: number): Promise<boolean> {
    if (!this.#isAt(run)) return false
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + 1)
    return true
  }

  /** How far it is, from 0 to 1. */
  progress(): number {
    return this.#work()?.progress ?? 0
  }

  /** Resolves when it has ended, or after so many milliseconds. */
  async wait(patience: number): Promise<void> {
    if (!this.#work()) return
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      setTimeout(resolve, patience)
    })
  }

  /** Ends it without a result. */
  async cancel(): Promise<void> {
    const work = this.#work()
    if (!work) return
    await this.#forget(work)
    await giveUp(this.env, work)
  }

  override async alarm() {
    await this.ctx.storage.setAlarm(Date.now() + watch)
    const end = Date.now() + stretch
    while (Date.now() < end) {
      const work = this.#work()
      if (!work) break
      const step = await this.#attempt(work)
      if (step === 'ended') {
        await this.#forget(work)
        break
      }
      if (typeof step === 'number') return this.ctx.storage.setAlarm(Date.now() + step)
      if (step === 'waiting') await scheduler.wait(this.#pause())
    }
    if (this.#work()) await this.ctx.storage.setAlarm(Date.now() + 1)
    else await this.ctx.storage.deleteAlarm()
  }

  /** A step; where it fails, the milliseconds after which to try again. */
  async #attempt(work: Work): Promise<TranscodingStep | number> {
    try {
      const step = await advance(this.env, work, (change) => this.#save(work, change))
      this.ctx.storage.kv.delete('misses')
      return step
    } catch (error) {
      if (!this.#isAt(runOf(work))) return 'ended'
      // A container that is down is no bug, and says nothing new at each repeat.
      if (!Failure.is(error) || error.code !== 'unavailable')
        log('error', { component: 'media', route: 'video job', ...describe(error) })
      const misses = (this.ctx.storage.kv.get<number>('misses') ?? 0) + 1
      this.ctx.storage.kv.put('misses', misses)
      return Math.min(backoff.least * 2 ** (misses - 1), backoff.most)
    }
  }

  /** What was cut off by a crash does not wait for its watch when somebody asks for it. */
  async #hurry() {
    const next = this.#work() && (await this.ctx.storage.getAlarm())
    if (next && next > Date.now()) await this.ctx.storage.setAlarm(Date.now() + 1)
  }

  #pause() {
    const taken = Date.now() - (this.#work()?.started ?? 0)
    return Math.min(Math.max(taken * pause.share, pause.least), pause.most)
  }

  #work() {
    return this.ctx.storage.kv.get<Work>('work')
  }

  /** Whether this run, and no later one, is under way. */
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

  /** Deletes all that is stored of a run, unless a later one has taken its place. */
  async #forget(of: Work) {
    const work = this.#work()
    if (work && runOf(work) !== runOf(of)) return
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
