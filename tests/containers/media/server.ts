// Starts the server of the media container in a separate process for tests, and sends requests to it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'

export interface Server {
  url: string
  process: ChildProcess
  workDir: string
  /** The files in the folder of the jobs. */
  files(): string[]
}

/** Starts one server for all tests of a file or group. */
export function useServer(env: Record<string, string> = {}): Server {
  const server = {} as Server
  let end = async () => {}
  beforeAll(async () => {
    const started = await launch(env)
    end = started.end
    Object.assign(server, started.server)
  })
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
  const workDir = env.WORK_DIR ?? mkdtempSync(join(tmpdir(), 'media-test-'))
  const child = spawn(process.execPath, ['containers/media/server.ts'], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', WORK_DIR: workDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  const server: Server = { url, process: child, workDir, files: () => readdirSync(join(workDir, 'jobs')) }
  const end = async () => {
    await stop(child)
    rmSync(workDir, { recursive: true, force: true })
  }
  return { server, end }
}

export async function stop(server: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill(signal)
  await exit
}

interface Job {
  id: string
  state: 'receiving' | 'running' | 'ready' | 'failed'
  offset: number
  progress: number
  failure?: string
  result?: { size: number; width: number; height: number; duration: number }
}

/** Sends a request and reads the JSON reply, with the HTTP status as `http`. */
export async function ask(server: Server, method: string, path: string, body?: BodyInit | object) {
  const isPlain = body?.constructor === Object
  const sent = isPlain ? JSON.stringify(body) : (body as BodyInit | undefined)
  const response = await fetch(server.url + path, { method, ...(sent !== undefined && { body: sent, duplex: 'half' }) })
  const reply: Answer = JSON.parse(await response.text())
  return { ...reply, http: response.status, headers: response.headers }
}

interface Answer {
  status: boolean
  status_code?: string
  job: Job
  [key: string]: unknown
}

/** Sends a request and returns the bytes of the reply, which must be 200. */
export async function download(server: Server, method: string, path: string, body?: BodyInit): Promise<Buffer> {
  const response = await fetch(server.url + path, { method, ...(body !== undefined && { body }) })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect({ status: response.status, ...(!response.ok && { body: bytes.toString() }) }).toEqual({ status: 200 })
  return bytes
}

interface JobOptions {
  is_streamable?: boolean
  may_copy?: boolean
  max_dimension?: number
  duration?: number
}

let jobs = 0

/** Creates a job for a source of this size, and returns its id. */
export async function beginJob(server: Server, size: number, options: JobOptions = {}): Promise<string> {
  const id = `job-${++jobs}`
  const body = { size, is_streamable: false, may_copy: false, max_dimension: 1280, ...options }
  expect(await ask(server, 'PUT', `/jobs/${id}`, body)).toMatchObject({ http: 200, job: { id, offset: 0 } })
  return id
}

/** Repeats a check until it does not throw, and returns its result. */
export const eventually = <T>(check: () => Promise<T> | T): Promise<T> =>
  vi.waitFor(check, { timeout: 100_000, interval: 50 })

/** Waits until a job has ended, and returns it. */
export const untilEnded = (server: Server, id: string): Promise<Job> =>
  eventually(async () => {
    const { job } = await ask(server, 'GET', `/jobs/${id}`)
    expect(job.state).toMatch(/^(ready|failed)$/)
    return job
  })

/** Transcodes a source: creates a job, sends the source, and waits until the job has ended. */
export async function transcode(server: Server, source: Buffer, options: JobOptions = {}): Promise<Job> {
  const id = await beginJob(server, source.length, options)
  if (source.length > 0) {
    const { http } = await ask(server, 'PUT', `/jobs/${id}/source?offset=0`, new Uint8Array(source))
    expect(http).toBe(200)
  }
  return untilEnded(server, id)
}
