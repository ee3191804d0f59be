// A fake queue for the delivery tests: holds tasks in memory, and sends a task's request only when a test asks for it.
import type { z } from 'zod'
import type { Env } from '#delivery/bindings'
import { NewFraction, NewTask } from '#queue/contract'

/** The part of the tested component that the fake queue needs to make its requests. */
interface Caller {
  env: Env
  call(path: string, json: object, headers: Record<string, string>): Promise<{ status: number }>
}

/** A task that the component created in the fake queue. */
interface Task {
  id: string
  path: string
  json: { ledger: string; slice?: number }
  headers: Record<string, string>
  delay: number
  sleep: number
  /** Number of requests made. For a fraction, the number of pieces that were requested. */
  attempts: number
  /** For a fraction: the first numbers of the pieces that have not ended. */
  pieces?: number[]
  /** For a fraction: the first numbers of the pieces that were requested and have not succeeded. */
  taken: Set<number>
  range?: { min: number; max: number; gap: number }
  state: 'waiting' | 'done' | 'canceled'
}

const common = {
  worker: true,
  url: true,
  json: true,
  secret_headers: true,
  timeout: true,
  sleep: true,
  retries: true,
  retry_delay: true,
} as const
const Fraction = NewFraction.pick({ ...common, min: true, max: true, gap: true }).strict()
const OneTask = NewTask.pick({ ...common, delay: true }).strict()

/** A fake queue. Accepts only what the real queue's schema allows, and sends requests when a test calls `perform` or `run`. */
export function fakeQueue() {
  const tasks: Task[] = []
  const keys = new Map<string, { body: string; id: string }>()
  const state = { isDown: false, isDeaf: false, requests: [] as string[] }

  const add = (params: z.output<typeof Fraction> | z.output<typeof OneTask>, body: string) => {
    const { json } = JSON.parse(body) as { json: Task['json'] }
    const id = `${params.worker}-${tasks.length + 1}`
    const range = 'gap' in params ? { min: params.min, max: params.max, gap: params.gap } : undefined
    const delay = ('delay' in params ? params.delay : 0) ?? 0
    const path = new URL(params.url).pathname
    const { secret_headers: headers, sleep } = params
    const fresh = { attempts: 0, taken: new Set<number>(), state: 'waiting' as const }
    const task: Task = { id, path, json, headers: headers!, delay, sleep, ...fresh }
    tasks.push(range ? { ...task, range, pieces: beginnings(range) } : task)
    return id
  }

  const post = (kind: 'task' | 'fraction', body: string, key: string | null) => {
    const known = key === null ? undefined : keys.get(key)
    if (known && known.body !== body) return refuse(409, 'idempotency_key_reused')
    if (known) return Response.json({ status: true, content: { [kind]: { id: known.id } } })
    const parsed = (kind === 'fraction' ? Fraction : OneTask).safeParse(JSON.parse(body))
    if (!parsed.success) return refuse(400, 'validation_failed')
    const id = add(parsed.data, body)
    if (key !== null) keys.set(key, { body, id })
    if (state.isDeaf) throw new Error('The connection was lost')
    return Response.json({ status: true, content: { [kind]: { id } } })
  }

  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(url)
    if (state.isDown) throw new Error('The queue is down')
    state.requests.push(`${init.method ?? 'GET'} ${pathname}`)
    if (pathname === '/_health') return Response.json({ status: true, content: { state: 'up' } })
    const key = new Headers(init.headers).get('idempotency-key')
    if (init.method === 'POST' && pathname === '/fraction') return post('fraction', init.body as string, key)
    if (init.method === 'POST' && pathname === '/task') return post('task', init.body as string, key)
    const id = searchParams.get('id') ?? (init.body ? (JSON.parse(init.body as string) as { id: string }).id : '')
    const task = tasks.find((one) => one.id === id)
    if (pathname !== '/task' || !task) return refuse(404, 'task_not_found')
    if (init.method === 'DELETE' && task.state === 'done') return refuse(409, 'task_ended')
    if (init.method === 'DELETE') task.state = 'canceled'
    return Response.json({ status: true, content: { task: shown(task) } })
  }

  /**
   * Sends one request of a task, and returns the status of the response. After any status but 200 the task waits for a retry.
   */
  async function perform({ call }: Caller, task: Task): Promise<number> {
    const [min] = task.pieces ?? []
    const { gap, max } = task.range ?? {}
    const piece = task.range && { _min: min, _max: Math.min(min! + gap! - 1, max!), _gap: gap }
    if (!task.range || !task.taken.has(min!)) task.attempts++
    if (task.range) task.taken.add(min!)
    const { status } = await call(task.path, { ...task.json, ...piece }, task.headers)
    if (status === 200) task.taken.delete(task.pieces?.shift() ?? 0)
    else if (task.pieces) task.pieces.push(task.pieces.shift()!)
    if (status === 200 && (task.pieces ?? []).length === 0) task.state = 'done'
    return status
  }

  const waiting = (ledger?: string) =>
    tasks.filter((task) => task.state === 'waiting' && (!ledger || task.json.ledger === ledger))

  return Object.assign(state, {
    ...{ tasks, fetch, perform, waiting },
    /** The waiting tasks whose URL has this path, of one ledger or of all. */
    at: (path: string, ledger?: string) => waiting(ledger).filter((task) => task.path === path),
    /** Loses a task, as a queue that was restored from an older backup does. */
    forget: (task: Task) => tasks.splice(tasks.indexOf(task), 1),
    /**
     * Sends the requests of a ledger's tasks one after another, until no task is left or each remaining one has failed once.
     */
    run: async (tested: Caller, ledger: string) => {
      const refused = new Set<string>()
      const next = () =>
        waiting(ledger)
          .flatMap((task) => (task.pieces ?? [0]).map((piece) => ({ task, name: `${task.id}/${piece}` })))
          .find(({ name }) => !refused.has(name))
      for (let found = next(); found; found = next()) {
        const { task, name } = found
        while (task.pieces && `${task.id}/${task.pieces[0]}` !== name) task.pieces.push(task.pieces.shift()!)
        if ((await perform(tested, task)) !== 200) refused.add(name)
        // The ledger creates its next tasks now. Otherwise the test would have to wait for the ledger's alarm.
        await tested.env.LEDGER.getByName(ledger).wake()
      }
    },
  })
}

const shown = ({ id, state, attempts, taken, range }: Task) => {
  const fraction = range ? { pieces: { done: attempts - taken.size, failed: 0, lost: 0 } } : null
  return { id, state, attempts, fraction }
}

const beginnings = ({ min, max, gap }: { min: number; max: number; gap: number }) =>
  Array.from({ length: Math.ceil((max - min + 1) / gap) }, (_, i) => min + i * gap)

const refuse = (status: number, status_code: string) =>
  Response.json({ status: false, status_code, message: '' }, { status })
