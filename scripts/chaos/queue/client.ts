// Creates and reads the tasks of a chaos run of the queue while the stack is killed.
import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedTask, TaskOrder, TaskResult } from './record.ts'
import type { TaskPayload } from './target.ts'

interface Reply<Content> {
  status: number
  content: Content
  text: string
}

async function ask<Content>(url: string, init?: RequestInit): Promise<Reply<Content>> {
  const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
  const text = await reply.text()
  return { status: reply.status, content: (JSON.parse(text) as { content: Content }).content, text }
}

/** Creates or configures a worker. */
export async function configure(url: string, worker: object): Promise<void> {
  const { status, text } = await ask(`${url}/queue/worker`, { method: 'PUT', body: JSON.stringify(worker) })
  if (status !== 200) throw new Error(`PUT /worker answered ${status}: ${text}`)
}

export interface EnqueueOptions {
  url: string
  target: string
  orders: TaskOrder[]
  onErrorReply(line: string): void
}

/**
 * Creates the tasks in order, from eight concurrent callers. Each task is sent once even if its reply is lost, since a
 * second request would create a second task.
 */
export async function enqueue({ url, target, orders, onErrorReply }: EnqueueOptions): Promise<RecordedTask[]> {
  const entries: RecordedTask[] = orders.map((order) => ({ ...order, sent: 0, repliedAt: 0 }))
  const bodies = orders.map((order) => JSON.stringify(bodyOf(order, target)))
  let next = 0
  const caller = async () => {
    for (let i = next++; i < entries.length; i = next++) {
      const entry = entries[i]!
      entry.sent = Date.now()
      const reply = await put(`${url}/queue/${entry.range ? 'fraction' : 'task'}`, bodies[i]!)
      entry.repliedAt = Date.now()
      if (reply?.status === 200) entry.id = (reply.content.task ?? reply.content.fraction)!.id
      else if (reply) onErrorReply(`${reply.status} ${reply.text}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, caller))
  return entries
}

/** Timeout of a task in seconds. It is longer than the target takes to reply, also on a busy machine. */
const timeout = 5

function bodyOf({ number, worker, behavior, retries, delay, key, range }: TaskOrder, target: string) {
  const wait = 50 + ((number * 37) % 250)
  const payload: TaskPayload = {
    number,
    worker,
    behavior,
    wait,
    ...(key && { key }),
    ...(range && { from: range.min }),
  }
  const retrying = retries > 0 && { retries, retry_delay: number % 2 }
  return {
    worker,
    url: target,
    method: 'POST',
    timeout,
    json: payload,
    ...(key && { key }),
    ...(delay > 0 && { delay }),
    ...retrying,
    ...range,
  }
}

type Put = { task?: { id: string }; fraction?: { id: string } }

/** Sends the request that creates a task. Undefined if the reply was lost. */
async function put(url: string, body: string): Promise<Reply<Put> | undefined> {
  for (;;) {
    try {
      return await ask<Put>(url, { method: 'POST', body })
    } catch (error) {
      if (!isRefused(error)) return undefined
      await pause(50) // Connection refused: the queue has not received the task.
    }
  }
}

const isRefused = (error: unknown) =>
  error instanceof TypeError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'

interface Listed {
  id: string
  kind: 'task' | 'fraction'
  state: string
  attempts: number
  started_at: string | null
  ended_at: string | null
}

interface InFull extends Listed {
  fraction: { pieces: TaskResult['pieces'] }
  unhappy_pieces: TaskResult['unhappy']
}

/** Number of tasks of these workers that have not ended. */
export async function countOpen(url: string, workers: string[]): Promise<number> {
  const counts = workers.flatMap((worker) =>
    ['waiting', 'running'].map(async (state) => {
      const query = new URLSearchParams({ worker, state, count: 'true', limit: '1' })
      return (await ask<{ nb_results: number }>(`${url}/queue/tasks?${query}`)).content.nb_results
    }),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/** The result of each task of these workers, by id. */
export async function outcomesOf(url: string, workers: string[]): Promise<Map<string, TaskResult>> {
  const outcomes = new Map<string, TaskResult>()
  for (const worker of workers) {
    for (let offset = 0, page = 1_000; page === 1_000; offset += page) {
      const query = new URLSearchParams({ worker, limit: '1000', offset: String(offset) })
      const { tasks } = (await ask<{ tasks: Listed[] }>(`${url}/queue/tasks?${query}`)).content
      page = tasks.length
      for (const task of tasks) outcomes.set(task.id, await outcomeOf(url, task))
    }
  }
  return outcomes
}

async function outcomeOf(url: string, task: Listed): Promise<TaskResult> {
  const { id, kind, state, attempts } = task
  const outcome = { state, attempts, started: millisecondsOf(task.started_at), ended: millisecondsOf(task.ended_at) }
  if (kind === 'task') return outcome
  const { fraction, unhappy_pieces } = (await ask<{ task: InFull }>(`${url}/queue/task?id=${id}`)).content.task
  return { ...outcome, pieces: fraction.pieces!, unhappy: unhappy_pieces ?? [] }
}

const millisecondsOf = (time: string | null) => (time === null ? null : Date.parse(`${time.replace(' ', 'T')}Z`))
