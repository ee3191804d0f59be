// A process of its own that sends requests over a few kept-open connections and prints what it measured as JSON:
// node scripts/bench/load.ts <module> <operation> <origin> <connections> <seconds>
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Operation, Sent } from './operation.ts'

export interface Measured {
  /** Requests answered each second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Answers with another status than a success. */
  failed: number
}

const [module, name, origin, connections, seconds] = process.argv.slice(2) as [string, string, string, string, string]
const { operations } = (await import(module)) as { operations: Operation[] }
const { request } = operations.find((operation) => operation.name === name)!
const { hostname, port } = new URL(origin)

const warmUp = 500
const started = performance.now() + warmUp
const ended = started + Number(seconds) * 1_000
const times: number[] = []
let failed = 0
let sent = 0

await Promise.all(Array.from({ length: Number(connections) }, client))
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
const measured: Measured = { rate: times.length / Number(seconds), p50: at(0.5), p99: at(0.99), failed }
console.log(JSON.stringify(measured))

async function client() {
  const socket = connect(Number(port), hostname)
  socket.setNoDelay()
  while (performance.now() < ended) {
    const before = performance.now()
    socket.write(bytesOf(request(sent++)))
    const status = await answer(socket)
    if (before >= started) times.push(performance.now() - before)
    if (status >= 300) failed++
  }
  socket.destroy()
}

function bytesOf({ method, path, body, headers = {} }: Sent): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: ${Buffer.byteLength(content)}\r\n${lines.join('')}\r\n${content}`
}

/** Reads one answer, by its length or its last chunk, and gives its status. */
function answer(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const done = (status: number) => {
      socket.off('data', take).off('error', reject).off('close', lost)
      resolve(status)
    }
    const take = (data: Buffer) => {
      text += data.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
      const isWhole = length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length)
      if (isWhole) done(Number(text.slice(9, 12)))
    }
    const lost = () => reject(new Error('The connection was closed'))
    socket.on('data', take).on('error', reject).on('close', lost)
  })
}
