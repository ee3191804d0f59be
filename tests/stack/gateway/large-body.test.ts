// Tests that a client that writes a whole large body before it reads still gets the 413.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { components } from '../../../scripts/stack/components.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { start } from '../stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await start({ components: components().filter(({ name }) => name === 'badge') })
})

afterAll(() => stack.dispose())

/** Sends the whole body before it reads the reply, as Python's `http.client` does. */
async function writeThenRead(path: string, size: number): Promise<string> {
  const { hostname, port } = new URL(stack.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause()
  const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`
  const chunk = Buffer.alloc(100_000, 'a')
  socket.write(head)
  for (let sent = 0; sent < size; sent += chunk.length)
    await new Promise<void>((resolve, reject) => {
      socket.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
  let text = ''
  for await (const part of socket.setEncoding('utf8')) {
    text += part
    if (text.endsWith('}')) break
  }
  return text
}

it('sends a 413 to a client that writes 10 MB before it reads', async () => {
  const reply = await writeThenRead('/badge/badge', 10_000_000)

  expect(reply).toMatch(/^HTTP\/1\.1 413 /)
  expect(reply).toContain('"payload_too_large"')
})
