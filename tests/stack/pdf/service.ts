// Calls the PDF component in tests, and finds the browser processes of its container.
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import type { Variables } from '../../../scripts/stack/variables.ts'
import { only, start } from '../stack.ts'

/** Starts a stack with only the PDF component, and waits until its container has started a browser. */
export async function startPdf(variables: Variables = {}): Promise<Stack> {
  const stack = await start({
    components: only('pdf'),
    variables: { WARM: 'true', ...variables },
  })
  await stack.containers.chromium!.up()
  return stack
}

interface Reply {
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
  /** The error code of a reply that is not 2xx. */
  code: string | undefined
  message: string | undefined
}

/** Requests a PDF, and returns the reply. */
export async function ask({ url }: Stack, params: object, init: RequestInit = {}): Promise<Reply> {
  const body = JSON.stringify(params)
  const response = await fetch(`${url}/pdf/pdf`, { method: 'POST', body, ...init })
  const { status, headers } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const refusal = response.ok ? {} : JSON.parse(new TextDecoder().decode(bytes))
  return { status, headers, bytes, code: refusal.status_code, message: refusal.message }
}

/** Requests a PDF, checks that the reply is one, and returns its bytes. */
export async function print(stack: Stack, params: object): Promise<Uint8Array<ArrayBuffer>> {
  const { status, bytes, message } = await ask(stack, params)
  expect([status, message]).toEqual([200, undefined])
  return bytes
}

/** The process ids of the container's browsers: its children that speak the DevTools protocol over a pipe. */
export function browsersOf({ containers }: Stack): number[] {
  const container = containers.chromium!.pid()
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const isChild = new RegExp(`^PPid:\\s+${container}$`, 'm').test(read(`/proc/${pid}/status`))
    return isChild && read(`/proc/${pid}/cmdline`).includes('--remote-debugging-pipe') ? [Number(pid)] : []
  })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // It ended meanwhile.
  }
}
