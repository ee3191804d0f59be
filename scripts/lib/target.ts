// Everybody whom the components call: handlers, operators, those who name recipients. It says who has been called.
import type { IncomingMessage } from 'node:http'
import { type Listening, listen } from './server.ts'

export interface WebhookTarget extends Listening {
  /** Resolves when `/told/<name>` is called, or a payment of this code is told; fails after a minute. */
  told(name: string): Promise<void>
  /** How often `/tick` was called. */
  ticks(): number
}

/** Milliseconds. */
const patience = 60_000

export async function startTarget(): Promise<WebhookTarget> {
  const waiting = new Map<string, () => void>()
  let ticks = 0
  const tell = (name: string) => waiting.get(name)?.()

  async function answerTo(request: IncomingMessage): Promise<object> {
    const { pathname, searchParams } = new URL(request.url!, 'http://target')
    const body = await bodyOf(request)
    if (pathname === '/tick') ticks++
    if (pathname.startsWith('/told/')) tell(pathname.slice('/told/'.length))
    if (pathname === '/payment') tell(String(body.code))
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
    told: (name) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => end(() => reject(new Error('Nobody was told within a minute'))), patience)
        const end = (how: () => void) => {
          clearTimeout(late)
          waiting.delete(name)
          how()
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
