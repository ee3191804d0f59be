// The clients of a simulated queue: make the calls of the scenario, and record the acknowledgements.
import { Failure } from '#core/failure'
import type { Backlog } from '#queue/backlog'
import type { Env } from '#queue/bindings'
import { NewFraction, NewTask } from '#queue/contract'
import { WorkerSettings } from '#queue/contract/settings'
import type { WorkerRegistry } from '#queue/registry'
import { taskRecordOf } from '#queue/task-record'
import type { EventLoop } from '../platform/event-loop.ts'
import { ConnectionLost, type SimulatedObject } from '../platform/object.ts'
import type { Cluster } from './cluster.ts'
import { wrongCounts } from './counts.ts'
import type { Call, TaskPlan } from './plan.ts'
import type { ClientCall, Entry, QueueRecord } from './record.ts'

const repeatMs = 200

/** Status codes of calls on a task whose state does not allow them. */
const refusals = new Set([404, 409])

export class QueueClients {
  readonly #loop: EventLoop
  readonly #object: SimulatedObject
  readonly #env: Env
  readonly #registry: SimulatedObject
  readonly #record: QueueRecord

  constructor(loop: EventLoop, { env, backlog, registry }: Cluster, record: QueueRecord) {
    this.#loop = loop
    this.#object = backlog
    this.#registry = registry
    this.#env = env
    this.#record = record
  }

  async make(call: Call): Promise<void> {
    if (call.does === 'create') return this.#create(entryOf(call.task, this.#loop.elapsed), call.task)
    if (call.does === 'cancel' || call.does === 'retry') return this.#act(call.does, call.n)
    if (call.does === 'pause') return this.#pause(call.duration)
    if (call.does === 'schedule') return this.#schedule(call)
    if (call.does === 'read') return this.#read(call.n)
    if (call.does === 'configure') return this.#configure()
    const { does } = call
    await this.#try((backlog) => this.#look(does, backlog))
  }

  /** Has the overdue objects woken, as the cron does. */
  async sweep(): Promise<void> {
    const swept = await this.#attempt(this.#registry, (registry: WorkerRegistry) => registry.sweep(this.#loop.now))
    if (swept?.value?.needsRepair) await this.#attempt(this.#registry, (registry: WorkerRegistry) => registry.repair())
    if (swept?.value?.overdue.includes(this.#object.name)) await this.#try((backlog) => backlog.wake())
  }

  /** Stores the settings of the worker. */
  async #configure(): Promise<void> {
    const { name, settings } = this.#record.plan.worker
    const put = () =>
      this.#attempt(this.#registry, (registry: WorkerRegistry) => registry.put(name, WorkerSettings.parse(settings)))
    while (!(await put())?.value) await this.#loop.wait(repeatMs)
  }

  /** Calls the backlog once. */
  #try<R>(act: (backlog: Backlog) => R | Promise<R>): Promise<{ value?: R } | undefined> {
    return this.#attempt(this.#object, act)
  }

  /** Calls an object once; undefined without a reply. Records an error that no client expects. */
  async #attempt<T extends object, R>(
    object: SimulatedObject,
    act: (instance: T) => R | Promise<R>,
  ): Promise<{ value?: R } | undefined> {
    try {
      return { value: await object.call(act) }
    } catch (error) {
      if (error instanceof ConnectionLost) return undefined
      if (Failure.is(error) && error.code === 'worker_changing') return undefined
      if (!Failure.is(error) || !refusals.has(error.status))
        this.#record.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      return {}
    }
  }

  async #look(does: 'list' | 'measure', backlog: Backlog): Promise<void> {
    if (does === 'measure') return void (await backlog.measure())
    const listed = backlog.list({ limit: 10, offset: 0, count: true })
    // The list has written the journal to the rows, so the counts and the rows must agree now.
    this.#record.faults.push(...wrongCounts(this.#object.disk))
    await listed
  }

  async #create(entry: Entry, plan: TaskPlan): Promise<void> {
    this.#record.entries.push(entry)
    const record = { ...(await taskRecordOf(this.#env, paramsOf(plan))), is_sealed: Number(plan.isSealed) }
    const key = plan.isIdempotent ? `key ${plan.n}` : undefined
    for (;;) {
      entry.tries++
      const reply = await this.#try((backlog) =>
        plan.range ? backlog.addFraction(record, plan.range, 1, key) : backlog.addTask(record, 1, key),
      )
      if (reply) {
        entry.created.acked = this.#loop.elapsed
        if (reply.value !== undefined) entry.number = reply.value
      }
      if (reply || !plan.isIdempotent) return
      await this.#loop.wait(repeatMs)
    }
  }

  async #acknowledge(call: ClientCall, act: (backlog: Backlog) => unknown): Promise<void> {
    if (await this.#try(act)) call.acked = this.#loop.elapsed
  }

  async #act(does: 'cancel' | 'retry', n: number): Promise<void> {
    const entry = this.#record.entries.find((one) => one.n === n)
    if (entry?.number === undefined) return
    const { number } = entry
    const call: ClientCall = { sent: this.#loop.elapsed }
    entry[does === 'cancel' ? 'cancels' : 'retryCalls'].push(call)
    await this.#acknowledge(call, (backlog) => backlog[does](number))
  }

  async #read(n: number): Promise<void> {
    const entry = this.#record.entries.find((one) => one.n === n)
    if (entry?.number === undefined) return
    const { number } = entry
    await this.#try((backlog) => [backlog.find(number), backlog.attempts(number, { after: 0, limit: 20 })])
  }

  async #pause(duration: number): Promise<void> {
    await this.#until((backlog) => backlog.setPaused(true))
    const from = this.#loop.elapsed
    await this.#loop.wait(duration)
    this.#record.pauses.push({ from, until: this.#loop.elapsed })
    await this.#until((backlog) => backlog.setPaused(false))
  }

  async #schedule({ task, duration, everySeconds }: Extract<Call, { does: 'schedule' }>): Promise<void> {
    const entry = { ...entryOf(task, this.#loop.elapsed), isSchedule: true }
    this.#record.entries.push(entry)
    const record = await taskRecordOf(this.#env, paramsOf(task))
    const schedule = { name: 'tick', cron: `*/${everySeconds} * * * * *`, timezone: 'UTC', record }
    await this.#until((backlog) => void backlog.setSchedule(schedule, 1))
    await this.#loop.wait(duration)
    await this.#until((backlog) => backlog.deleteSchedule('tick'))
  }

  /** Repeats a call until there is a reply. */
  async #until(act: (backlog: Backlog) => unknown): Promise<void> {
    while (!(await this.#try(act))) await this.#loop.wait(repeatMs)
  }
}

const entryOf = (plan: TaskPlan, sent: number): Entry => ({
  ...plan,
  created: { sent },
  tries: 0,
  cancels: [],
  retryCalls: [],
  isSchedule: false,
})

function paramsOf({ n, method, key, delay, timeout, sleep, retries, retryDelay, expires, range, priority }: TaskPlan) {
  const params = {
    worker: 'any',
    url: `http://target.dev/${n}`,
    method,
    json: { n },
    ...(key !== undefined && { key }),
    ...(priority !== undefined && { priority }),
    ...(delay > 0 && { delay: delay / 1_000 }),
    timeout: timeout / 1_000,
    sleep,
    retries,
    retry_delay: retryDelay / 1_000,
    ...(expires !== undefined && { expires: expires / 1_000 }),
  }
  return range ? NewFraction.parse({ ...params, ...range }) : NewTask.parse(params)
}
