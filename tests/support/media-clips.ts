// Serves audio and video files to tests in workerd: fixtures from `media/fixtures`, and clips that ffmpeg makes when
// they are first requested.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { type Recipe, recipes } from './media/recipes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Serves `/fixtures/<name>` and, if ffmpeg is installed, `/clips/<name>` by the names of `media/recipes.ts`. */
    mediaClips: { url: string; hasFfmpeg: boolean }
  }
}

const run = promisify(execFile)

interface Clip {
  bytes: Uint8Array
  /** Duration in seconds as ffprobe reports it, once by the header and once by the end of the last packet. */
  duration: string
  packets: string
}

export default async (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'media-clips-'))
  const clips = new Map<string, Promise<Clip>>()
  const clipOf = (name: string) => {
    const clip = clips.get(name) ?? made(join(folder, name), recipes[name])
    clips.set(name, clip)
    return clip
  }
  const server = createServer({ keepAliveTimeout: 0 }, ({ url = '' }, response) => {
    const [, place, name = ''] = url.split('/')
    const clip = place === 'clips' ? clipOf(name) : fixture(name)
    clip.then(
      ({ bytes, ...headers }) => response.writeHead(200, headers).end(bytes),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  project.provide('mediaClips', { url: `http://127.0.0.1:${port}`, hasFfmpeg: hasFfmpeg() })
  return () => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

const fixture = async (name: string) => ({
  bytes: await readFile(join(import.meta.dirname, 'media/fixtures', basename(name))),
})

function hasFfmpeg(): boolean {
  try {
    execFileSync('ffprobe', ['-version'])
    execFileSync('ffmpeg', ['-version'])
    return true
  } catch {
    return false
  }
}

async function made(path: string, { args, edit = (bytes) => bytes }: Recipe = {}): Promise<Clip> {
  if (args) await run('ffmpeg', ['-v', 'error', '-y', ...args, path])
  const bytes = edit(args ? await readFile(path) : new Uint8Array())
  await writeFile(path, bytes)
  const [duration = '', last = ''] = await Promise.all([
    probed(path, ['-show_entries', 'format=duration']),
    probed(path, ['-show_entries', 'packet=pts_time,duration_time']),
  ])
  const [first, end] = [last.split('\n')[0], last.trim().split('\n').at(-1)].map((line) => line!.split(',').map(Number))
  return { bytes, duration, packets: String(end![0]! + (end![1] || 0) - first![0]!) }
}

async function probed(path: string, what: string[]): Promise<string> {
  const { stdout } = await run('ffprobe', ['-v', 'quiet', '-of', 'csv=p=0', ...what, path], { maxBuffer: 1e8 })
  return stdout.trim()
}
