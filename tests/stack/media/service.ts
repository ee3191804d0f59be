// Calls the media component in tests, and finds and kills the processes of its stack.
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Stack, StackOptions } from '../../../scripts/stack/stack.ts'
import { only, start } from '../stack.ts'

/** Timeout and interval of polls in milliseconds. Long, since transcoding on a busy machine takes its time. */
export const pollOptions = { timeout: 150_000, interval: 50 }

/** Starts a stack with only the media component. */
export const startMedia = (options: Partial<StackOptions> = {}): Promise<Stack> =>
  start({ components: only('media'), ...options })

export interface Item {
  digest: string
  size: number
  mimetype: string
  download: string
  state: string
  progress: number
  width: number
  height: number
  duration: string
}

interface Reply {
  status: number
  headers: Headers
  json: Item & { status: boolean; status_code?: string }
}

/** Sends a request and reads the JSON reply. */
export async function ask(url: string, init?: RequestInit): Promise<Reply> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) }
}

/** Uploads a file with a form, and returns the reply. */
export async function upload(stack: Stack, path: string, bytes: Uint8Array<ArrayBuffer>, name = 'a.bin') {
  const body = new FormData()
  body.set('file', new Blob([bytes]), name)
  return ask(`${stack.url}/media${path}`, { method: 'POST', body })
}

/** Uploads a file with a form, and checks that it was stored. */
export async function store(stack: Stack, path: string, bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<Item> {
  const { status, json } = await upload(stack, path, bytes, name)
  expect(json).toMatchObject({ status: true })
  expect(status).toBe(200)
  return json
}

export const videoInfo = async ({ url }: Stack, digest: string) => (await ask(`${url}/media/video/${digest}/info`)).json

/** Waits until a video has this state, and returns its information. */
export async function untilState(stack: Stack, digest: string, state = 'ready'): Promise<Item> {
  const stateOf = () =>
    videoInfo(stack, digest).then(
      (info) => info.state,
      () => 'unreachable',
    )
  await expect.poll(stateOf, pollOptions).toBe(state)
  return videoInfo(stack, digest)
}

/** Downloads a file completely. The reply must be 2xx. */
export async function bytesOf(url: string, init?: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, init)
  expect(response.ok).toBe(true)
  return new Uint8Array(await response.arrayBuffer())
}

/** The process id of the local runtime. */
export const runtimePid = (): number | undefined =>
  processesUnder(process.pid).find(({ command }) => command.includes('workerd'))?.pid

/** Kills the runtime, and waits until a new one answers. */
export async function killRuntime({ url }: Stack): Promise<void> {
  const killed = runtimePid()!
  process.kill(killed, 'SIGKILL')
  await expect.poll(runtimePid, pollOptions).not.toBe(killed)
  const answers = () => fetch(`${url}/media/_health`).then(() => true, () => false) // biome-ignore format: one line
  await expect.poll(answers, pollOptions).toBe(true)
}

/**
 * The process id of the container's ffmpeg that works on a video and is stopped by a signal; undefined if there is
 * none.
 */
export const heldEncoderOf = (container: number): number | undefined =>
  processesUnder(container).find(({ command, isStopped }) => isStopped && command.includes('-progress'))?.pid

/** The child processes of a process. */
function processesUnder(parent: number): { pid: number; command: string; isStopped: boolean }[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const status = read(`/proc/${pid}/status`)
    const isChild = new RegExp(`^PPid:\\s+${parent}$`, 'm').test(status)
    const isStopped = /^State:\s+T/m.test(status)
    return isChild ? { pid: Number(pid), command: read(`/proc/${pid}/cmdline`), isStopped } : []
  })
}

/** The maximum memory that a process has used so far, in bytes. */
export const peakOf = (pid: number) => 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1])

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // It ended meanwhile.
  }
}
