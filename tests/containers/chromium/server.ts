// Starts the server of the Chromium container in a separate process for tests, and sends requests to it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { type Pdf, readPdf } from './pdf.ts'

export interface Server {
  url: string
  process: ChildProcess
  workDir: string
}

/** A time limit of documents that is long enough for a busy machine. */
const patient = { MAX_SECONDS: '55' }

/** Starts one server for all tests of a file or group, and waits until its browser is up. */
export function useServer(variables: Record<string, string> | (() => Record<string, string>) = {}): Server {
  const env = typeof variables === 'function' ? variables : () => variables
  const server = {} as Server
  let end = async () => {}
  beforeAll(async () => {
    const started = await launch({ ALLOW_PRIVATE_TARGETS: 'true', ...patient, ...env() })
    end = started.end
    Object.assign(server, started.server)
    await untilWarm(server)
  }, 120_000)
  afterAll(() => end())
  return server
}

/** Starts a server that ends with the test. */
export async function startServer(env: Record<string, string> = {}): Promise<Server> {
  const { server, end } = await launch(env)
  onTestFinished(end)
  return server
}

async function launch(env: Record<string, string>) {
  const workDir = env.WORK_DIR ?? mkdtempSync(join(tmpdir(), 'chromium-test-'))
  const child = spawn(process.execPath, ['containers/chromium/server.ts'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      WORK_DIR: workDir,
      CHROMIUM_NO_SANDBOX: 'true',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const began = once(createInterface({ input: child.stdout }), 'line')
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The server has ended')))
  ended.catch(() => {})
  const [url] = await Promise.race([began, ended])
  const server: Server = { url, process: child, workDir }
  const end = async () => {
    await stop(child)
    rmSync(workDir, { recursive: true, force: true, maxRetries: 5 })
  }
  return { server, end }
}

export async function stop(server: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill(signal)
  await exit
}

/** Repeats a check until it does not throw, and returns its result. */
export const eventually = <T>(check: () => Promise<T> | T): Promise<T> =>
  vi.waitFor(check, { timeout: 100_000, interval: 20 })

interface Health {
  browser: string | null
  busy: number
  waiting: number
  rendered: number
}

export async function health({ url }: Server): Promise<Health> {
  const response = await fetch(`${url}/health`)
  expect(response.status).toBe(200)
  return response.json() as Promise<Health>
}

export const untilWarm = (server: Server) =>
  eventually(async () => expect(await health(server)).toMatchObject({ browser: expect.any(String) }))

/** Requests a PDF, and returns the reply, whatever it is. */
export const post = ({ url }: Server, body: object | string, init: RequestInit = {}) =>
  fetch(`${url}/pdf`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init })

/** Requests a PDF, checks that the reply is one, and reads it. */
export async function print(server: Server, body: object): Promise<Pdf> {
  const response = await post(server, body)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) expect(bytes.toString()).toBe('a document')
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  return readPdf(bytes)
}

/** Requests a PDF that must be refused. Returns the error, with the HTTP status as `http`. */
export async function refusal(server: Server, body: object | string) {
  const response = await post(server, body)
  const error = response.headers.get('content-type') === 'application/json' ? await response.json() : {}
  return { http: response.status, ...(error as { status_code?: string; message?: string }) }
}

/** Checks that the server prints another document. */
export async function expectToWork(server: Server) {
  expect((await print(server, { html: '<p>The next one' })).text).toBe('The next one')
}
