// The PDF generator over HTTP, and the processes that it runs as.
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import type { Variables } from '../../../scripts/stack/variables.ts'
import { only, start } from '../stack.ts'

/** A stack with nothing but the PDF generator, whose container is up, and warms its browser. */
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
  /** What a refusal says. */
  code: string | undefined
  message: string | undefined
}

/** Asks for a document. */
export async function ask({ url }: Stack, params: object, init: RequestInit = {}): Promise<Reply> {
  const body = JSON.stringify(params)
  const response = await fetch(`${url}/pdf/pdf`, { method: 'POST', body, ...init })
  const { status, headers } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const refusal = response.ok ? {} : JSON.parse(new TextDecoder().decode(bytes))
  return { status, headers, bytes, code: refusal.status_code, message: refusal.message }
}

/** The bytes of a document that there must be. */
export async function print(stack: Stack, params: object): Promise<Uint8Array<ArrayBuffer>> {
  const { status, bytes, message } = await ask(stack, params)
  expect([status, message]).toEqual([200, undefined])
  return bytes
}

/** The browsers of the container: those of its children that speak to it by a pipe. */
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
