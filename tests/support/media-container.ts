// Starts the media container's server for tests of the media Worker, which calls it for all work that a Worker cannot
// do.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    mediaContainer: { url: string; token: string }
  }
}

export default async (project: TestProject) => {
  const token = crypto.randomUUID()
  const folder = await mkdtemp(join(tmpdir(), 'media-container-'))
  const server = spawn(process.execPath, ['containers/media/server.ts'], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', TOKEN: token, WORK_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  project.provide('mediaContainer', { url: await firstLine(server.stdout), token })
  return async () => {
    server.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

async function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) return line
  throw new Error('The media container did not start')
}
