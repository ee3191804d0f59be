// Stand-in for all systems that the components call in soak tests and cost measurements (handlers, operators,
// `data_url`). It records the calls.
import type { IncomingMessage } from 'node:http'
import { type Listening, listen } from './server.ts'

export interface WebhookTarget extends Listening {
  /** Resolves when `/called/<name>` is called, or the webhook of a payment with this code. Throws after a minute. */
  untilCalled(name: string): Promise<void>
  /** Number of calls of `/tick`. */
  ticks(): number
}

const callTimeoutMs = 60_000

export async function startTarget(): Promise<WebhookTarget> {
  const waiting = new Map<string, () => void>()
  let ticks = 0
  const notify = (name: string) => waiting.get(name)?.()

  async function answerTo(request: IncomingMessage): Promise<object> {
    const { pathname, searchParams } = new URL(request.url!, 'http://target')
    const body = await bodyOf(request)
    if (pathname === '/tick') ticks++
    if (pathname.startsWith('/called/')) notify(pathname.slice('/called/'.length))
    if (pathname === '/payment') notify(String(body.code))
    if (pathname === '/people') return { content: peopleFrom(Number(body._min ?? searchParams.get('_min'))) }
    return { rate: 487.5 }
  }

  const server = await listen((request, response) => {
    answerTo(request).then(
      (json) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json)),
      () => response.writeHead(400).end(),
    )
  })
  return {
    ...server,
    ticks: () => ticks,
    untilCalled: (name) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(() => reject(new Error('Not called within a minute'))), callTimeoutMs)
        const end = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(name)
          settle()
        }
        waiting.set(name, () => end(resolve))
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

const peopleFrom = (min: number) => [
  { locale: 'en', name: 'Bob', email: 'bob@example.com', phone: `7702${String(min).padStart(7, '0')}` },
  { locale: 'kk', name: 'Dana', email: 'dana@example.com', phone: `7705${String(min).padStart(7, '0')}` },
]
