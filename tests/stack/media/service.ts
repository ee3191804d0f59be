// The media service over HTTP, and the processes that it runs as.
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Stack, StackOptions } from '../../../scripts/stack/stack.ts'
import { only, start } from '../stack.ts'

/** How long a test waits for what should come about, in milliseconds. */
export const pollOptions = { timeout: 150_000, interval: 50 }

/** A stack with nothing but the media service. */
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

/** Asks for JSON. */
export async function ask(url: string, init?: RequestInit): Promise<Reply> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) }
}

/** Stores a file by form. */
export async function upload(stack: Stack, path: string, bytes: Uint8Array<ArrayBuffer>, name = 'a.bin') {
  const body = new FormData()
  body.set('file', new Blob([bytes]), name)
  return ask(`${stack.url}/media${path}`, { method: 'POST', body })
}

/** Stores a file by form that must be taken. */
export async function store(stack: Stack, path: string, bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<Item> {
  const { status, json } = await upload(stack, path, bytes, name)
  expect(json).toMatchObject({ status: true })
  expect(status).toBe(200)
  return json
}

export const videoInfo = async ({ url }: Stack, digest: string) => (await ask(`${url}/media/video/${digest}/info`)).json

/** Resolves when a video is `ready`, or what else is awaited. */
export async function untilState(stack: Stack, digest: string, state = 'ready'): Promise<Item> {
  const stateOf = () =>
    videoInfo(stack, digest).then(
      (info) => info.state,
      () => 'unreachable',
    )
  await expect.poll(stateOf, pollOptions).toBe(state)
  return videoInfo(stack, digest)
}

/** All bytes of a download. */
export async function bytesOf(url: string, init?: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, init)
  expect(response.ok).toBe(true)
  return new Uint8Array(await response.arrayBuffer())
}

/** The process of the local runtime. */
export const runtimePid = (): number | undefined =>
  processesUnder(process.pid).find(({ command }) => command.includes('workerd'))?.pid

/** Kills the runtime, and resolves when there is a new one that answers. */
export async function killRuntime({ url }: Stack): Promise<void> {
  const killed = runtimePid()!
  process.kill(killed, 'SIGKILL')
  await expect.poll(runtimePid, pollOptions).not.toBe(killed)
  const answers = () => fetch(`${url}/media/_health`).then(() => true, () => false) // biome-ignore format: one line
  await expect.poll(answers, pollOptions).toBe(true)
}

/** The ffmpeg that a container's process has for a video, and that is stopped. */
export const heldEncoderOf = (container: number): number | undefined =>
  processesUnder(container).find(({ command, isStopped }) => isStopped && command.includes('-progress'))?.pid

/** The children of a process. */
function processesUnder(parent: number): { pid: number; command: string; isStopped: boolean }[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const status = read(`/proc/${pid}/status`)
    const isChild = new RegExp(`^PPid:\\s+${parent}$`, 'm').test(status)
    const isStopped = /^State:\s+T/m.test(status)
    return isChild ? { pid: Number(pid), command: read(`/proc/${pid}/cmdline`), isStopped } : []
  })
}

/** The most memory that a process has had, in bytes. */
export const peakOf = (pid: number) => 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1])

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // It ended meanwhile.
  }
}
