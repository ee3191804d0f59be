// The HTTP request of a task, which the workers of the peers send.
import { request } from 'undici'
import type { Load } from './contender.ts'

const headers = { 'content-type': 'application/json' }

/**
 * Sends the request of a task in the job of a peer. undici's `request` is the fastest client for Node: it makes two to
 * four times as many calls a second as `fetch`.
 */
export async function call(url: string, body: Load) {
  const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.dump()
  if (statusCode >= 300) throw new Error(`The target answered ${statusCode}`)
}
