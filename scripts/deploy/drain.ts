// Drains the queue before its code is replaced: pauses its workers, waits for their running requests, and resumes them afterwards.
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { Stop } from './stop.ts'

/** Where and how to call the deployed queue. */
interface DeployedQueue {
  /** Address of the gateway. */
  url: string
  /** Value of the `Authorization` header. */
  authorization: string
}

interface DrainSettings {
  queue: DeployedQueue
  /** Time to wait for running requests. */
  timeoutMs: number
  /** Time between two looks at the running requests. */
  intervalMs?: number
  /** Workers that an interrupted deployment has paused. */
  paused: string[]
  /** Stores the names of the workers that must be resumed. */
  save: (paused: string[]) => void
  say: (line: string) => void
}

const Reply = z.object({
  content: z.object({
    workers: z.array(z.object({ name: z.string(), running: z.number(), is_paused: z.boolean() })),
    next: z.string().nullish(),
  }),
})
type Worker = z.output<typeof Reply>['content']['workers'][number]

const requestTimeoutMs = 30_000

/**
 * Does some work while the queue is drained. Workers that were paused before stay paused. If the requests do not end in time, resumes
 * the workers and throws a `Stop`, without doing the work.
 */
export async function whileDrained<Result>(settings: DrainSettings, work: () => Promise<Result>): Promise<Result> {
  const { queue, say, save, paused } = settings
  const toPause = (await readWorkers(queue)).filter(({ is_paused }) => !is_paused).map(({ name }) => name)
  const toResume = [...new Set([...paused, ...toPause])]
  save(toResume)
  try {
    for (const worker of toPause) await call(queue, 'POST', '/worker/pause', { worker })
    say(`queue: paused ${toPause.length} workers`)
    await untilIdle(settings)
    return await work()
  } finally {
    await resume(queue, toResume)
    save([])
    say(`queue: resumed ${toResume.length} workers`)
  }
}

async function untilIdle({ queue, timeoutMs, intervalMs = 1_000, say }: DrainSettings): Promise<void> {
  const endAt = Date.now() + timeoutMs
  for (let last = -1; ; ) {
    const running = (await readWorkers(queue)).reduce((sum, worker) => sum + worker.running, 0)
    if (running === 0) return
    if (running !== last) say(`queue: waiting for ${running} running requests`)
    last = running
    if (Date.now() >= endAt)
      throw new Stop(
        `queue: ${running} requests still run after ${timeoutMs / 1_000} s. Deploy again later, or interrupt them with --drain 0`,
      )
    await pause(intervalMs)
  }
}

async function resume(queue: DeployedQueue, workers: string[]): Promise<void> {
  const failed: string[] = []
  for (const worker of workers)
    await call(queue, 'POST', '/worker/resume', { worker }).catch((error: Error) =>
      failed.push(`${worker} (${error.message})`),
    )
  if (failed.length > 0)
    throw new Stop(
      `queue: these workers are still paused: ${failed.join(', ')}. Resume them with POST /queue/worker/resume, or deploy the queue again`,
    )
}

async function readWorkers(queue: DeployedQueue): Promise<Worker[]> {
  const workers: Worker[] = []
  for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
    const page = Reply.parse(await call(queue, 'GET', `/workers${after && `?after=${encodeURIComponent(after)}`}`))
    workers.push(...page.content.workers)
    after = page.content.next
  }
  return workers
}

async function call({ url, authorization }: DeployedQueue, method: string, path: string, body?: object) {
  const response = await fetch(`${url.replace(/\/$/, '')}/queue${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(requestTimeoutMs),
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw new Stop(`queue: ${method} ${path} failed at ${url}: ${String((cause as Error).message)}`)
  })
  const text = await response.text()
  // 400: the worker was deleted in the meantime.
  if (response.status === 400 && method === 'POST') return undefined
  if (!response.ok) throw new Stop(`queue: ${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text) as unknown
}

/** The address of a deployed gateway from the targets that wrangler prints: a URL, or a custom domain. */
export function addressIn(targets: string[]): string | undefined {
  for (const target of targets) {
    if (/^https:\/\//.test(target)) return target
    const [, domain] = /^([\w-]+(?:\.[\w-]+)+)(?:\/\*)? ?(?:\(.*\))?$/.exec(target) ?? []
    if (domain) return `https://${domain}`
  }
  return undefined
}
