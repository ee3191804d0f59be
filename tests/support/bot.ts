// A fake of the Telegram Bot API for tests: stores messages, and gives the replies that a test sets. Each token is a
// separate bot.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'
import { serve } from './server.ts'
import { textOf } from './text-of.ts'

declare module 'vitest' {
  interface ProvidedContext {
    botPort: number
  }
}

/** A message as the fake bot received it. */
export interface BotMessage {
  method: string
  type: string
  body: { chat_id?: unknown; text?: unknown }
}

/** The reply of a bot: a status with JSON or text, or, with `how`, no reply or half of one. */
export interface Answer {
  status?: number
  body?: unknown
  text?: string
  how?: 'never' | 'cut'
}

interface Bot {
  sent: BotMessage[]
  /** Replies to the next messages, in order. All later messages are accepted. */
  answers: Answer[]
}

/** Starts the server on any free port. */
export async function startBots() {
  const bots = new Map<string, Bot>()
  const botOf = (token: string) => {
    const bot = bots.get(token) ?? { sent: [], answers: [] }
    bots.set(token, bot)
    return bot
  }
  const { port, close } = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://bots')
    const bot = botOf(/^\/bot([^/]+)\/sendMessage$/.exec(pathname)?.[1] ?? searchParams.get('token') ?? '')
    const body = await textOf(request)
    if (pathname === '/_sent') return response.end(JSON.stringify(bot.sent))
    if (pathname === '/_answers') return response.end(String(bot.answers.push(...(JSON.parse(body) as Answer[]))))
    if (!pathname.endsWith('/sendMessage')) return refuse(response, 404, 'Not Found')
    take(bot, request, body, response)
  })
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    sent: (token: string) => botOf(token).sent,
    answer: (token: string, answers: Answer[]) => botOf(token).answers.push(...answers),
    close,
  }
}

function take(bot: Bot, { method = '', headers }: IncomingMessage, text: string, response: ServerResponse) {
  const body = JSON.parse(text) as BotMessage['body']
  bot.sent.push({ method, type: headers['content-type'] ?? '', body })
  const answer = bot.answers.shift()
  if (answer) return reply(response, answer)
  if (typeof body.chat_id !== 'string' && typeof body.chat_id !== 'number')
    return refuse(response, 400, 'Bad Request: chat_id is empty')
  if (typeof body.text !== 'string' || body.text.trim() === '' || body.text.length > 4_096)
    return refuse(response, 400, 'Bad Request: message text is empty')
  const result = { message_id: bot.sent.length, date: 0, chat: { id: body.chat_id, type: 'private' }, text: body.text }
  reply(response, { body: { ok: true, result } })
}

const refuse = (response: ServerResponse, status: number, description: string) =>
  reply(response, { status, body: { ok: false, error_code: status, description } })

function reply(response: ServerResponse, { status = 200, body, text, how }: Answer) {
  if (how === 'never') return
  response.writeHead(status, { 'content-type': 'application/json', ...(how === 'cut' && { 'content-length': 100 }) })
  if (how !== 'cut') return response.end(text ?? JSON.stringify(body))
  response.write('{')
  setImmediate(() => response.destroy())
}

export default async (project: TestProject) => {
  const bots = await startBots()
  project.provide('botPort', bots.port)
  return () => bots.close()
}
