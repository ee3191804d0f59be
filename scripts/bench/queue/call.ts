import type { Load } from './contender.ts'
import { load } from './packages.ts'

interface Undici {
  request(
    url: string,
    options: { method: string; headers: Record<string, string>; body: string },
  ): Promise<{ statusCode: number; body: { dump(): Promise<void> } }>
}

// The fastest client that there is for Node: two to four times as many calls a second as `fetch`, its own or undici's.
const { request } = await load<Undici>('undici')

const headers = { 'content-type': 'application/json' }

/** What a peer's job does: the request that the queue makes by itself. */
export async function call(url: string, body: Load) {
  const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.dump()
  if (statusCode >= 300) throw new Error(`The target answered ${statusCode}`)
}
