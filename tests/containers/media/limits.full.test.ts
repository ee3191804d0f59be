// Tests the token, the limits and the shutdown of the media server.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clip, h264, hasNative, make, makeStream, pattern } from './clips.ts'
import {
  ask,
  beginJob,
  eventually,
  type Server,
  startServer,
  stop,
  transcode,
  untilEnded,
  useServer,
} from './server.ts'

const put = (server: Server, id: string, bytes: Buffer) =>
  ask(server, 'PUT', `/jobs/${id}/source?offset=0`, new Uint8Array(bytes))

/** The ids of processes whose command contains all these words. */
const processes = (...words: string[]): number[] =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter((line) => words.every((word) => line.includes(word)))
    .map((line) => Number.parseInt(line, 10))

/** Waits until the job folder is empty, since a job is reported as failed before its files are deleted. */
const swept = (server: Server) => eventually(() => expect(server.files()).toEqual([]))

describe('a server with a token', () => {
  const workDir = mkdtempSync(join(tmpdir(), 'media-test-'))
  writeFileSync(join(workDir, 'other'), '')
  const server = useServer({ TOKEN: 'secret', WORK_DIR: workDir })

  it('requires the token, except for its health', async () => {
    expect(await ask(server, 'GET', '/health')).toMatchObject({ http: 200 })
    for (const authorization of [undefined, 'Bearer', 'Bearer secre', 'Bearer secrets', 'secret']) {
      const response = await fetch(`${server.url}/jobs/x`, { headers: { ...(authorization && { authorization }) } })
      expect([response.status, await response.json()]).toMatchObject([
        401,
        { status: false, status_code: 'unauthorized' },
      ])
    }
    const { status } = await fetch(`${server.url}/jobs/x`, { headers: { authorization: 'Bearer secret' } })
    expect(status).toBe(404)
  })

  it('requires the token for unknown paths', async () => {
    expect(await ask(server, 'GET', '/nowhere')).toMatchObject({ http: 401 })
  })

  it('keeps other files in its folder', () => {
    expect(existsSync(join(workDir, 'other'))).toBe(true)
  })
})

const defaultServer = useServer()

it('rejects an invalid URL without details of the server', async () => {
  for (const path of ['/', '/jobs', '/jobs/', '/jobs/.', '/jobs/%2e%2e', '/jobs/a/b', '//', '/healthy'])
    expect(await ask(defaultServer, 'GET', path)).toMatchObject({ http: 404, status_code: 'not_found' })
  const refused = await ask(defaultServer, 'POST', '/jobs/abc')
  expect(refused).toMatchObject({ http: 405, status_code: 'method_not_allowed' })
  expect(refused.headers.get('allow')).toBe('PUT, GET, DELETE')
})

it('runs the maximum number of jobs', async () => {
  const server = await startServer({ MAX_JOBS: '1' })
  const id = await beginJob(server, clip.length)
  const body = { size: 5, is_streamable: false, may_copy: false, max_dimension: 100 }
  const refused = await ask(server, 'PUT', '/jobs/other', body)
  expect(refused).toMatchObject({ http: 503, status_code: 'unavailable' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await ask(server, 'PUT', `/jobs/${id}`, body)).toMatchObject({ http: 200 })
  await put(server, id, clip)
  await untilEnded(server, id)
  expect(await ask(server, 'PUT', '/jobs/other', body)).toMatchObject({ http: 200 })
})

describe('the disk limit', () => {
  const server = useServer({ MAX_DISK: '20000' })

  it('limits the size of all sources', async () => {
    const id = await beginJob(server, clip.length)
    const body = { size: 20_000, is_streamable: false, may_copy: false, max_dimension: 100 }
    expect(await ask(server, 'PUT', '/jobs/other', body)).toMatchObject({ http: 507, status_code: 'out_of_disk' })
    await ask(server, 'DELETE', `/jobs/${id}`)
    expect(await ask(server, 'PUT', '/jobs/other', body)).toMatchObject({ http: 200 })
    await ask(server, 'DELETE', '/jobs/other')
  })

  it('rejects a source that is larger than the limit', async () => {
    const body = { size: 20_001, is_streamable: false, may_copy: false, max_dimension: 100 }
    expect(await ask(server, 'PUT', '/jobs/other', body)).toMatchObject({ http: 413, status_code: 'payload_too_large' })
  })

  it('limits the size of the mp4', async () => {
    const source = Buffer.concat([clip, Buffer.alloc(4000)])
    expect(await transcode(server, source, { may_copy: false })).toMatchObject({
      state: 'failed',
      failure: 'too_large',
    })
    await swept(server)
  })
})

describe.runIf(hasNative && process.platform !== 'win32')('ffmpeg', () => {
  /** Starts a streamed job, and waits until ffmpeg works on it and needs more of the source. */
  const beginStream = async (server: Server) => {
    const source = makeStream()
    const id = await beginJob(server, source.length, { is_streamable: true })
    await put(server, id, source.subarray(0, source.length * 0.9))
    return id
  }

  const running = (server: Server) =>
    eventually(() => {
      const found = processes('ffmpeg', join(server.workDir, 'jobs'), '-progress')
      expect(found.length).toBeGreaterThan(0)
      return found
    })

  const ended = (server: Server) => eventually(() => expect(processes(server.workDir)).toEqual([]))

  it('fails the job when killed, and the job can be created again', async () => {
    const id = await beginStream(defaultServer)
    for (const pid of await running(defaultServer)) process.kill(pid, 'SIGKILL')
    expect(await untilEnded(defaultServer, id)).toMatchObject({ state: 'failed', failure: 'killed' })
    await swept(defaultServer)
    await ask(defaultServer, 'DELETE', `/jobs/${id}`)
    const again = await transcode(defaultServer, clip, { is_streamable: true })
    expect(again).toMatchObject({ state: 'ready' })
    await ask(defaultServer, 'DELETE', `/jobs/${again.id}`)
  })

  it('ends with its job', async () => {
    const id = await beginStream(defaultServer)
    await running(defaultServer)
    await ask(defaultServer, 'DELETE', `/jobs/${id}`)
    await ended(defaultServer)
    expect(defaultServer.files()).toEqual([])
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends when the server gets %s, and the next server starts without files',
    async (signal) => {
      const server = await startServer()
      const id = await beginStream(server)
      await running(server)
      await stop(server.process, signal)
      await ended(server)
      const next = await startServer({ WORK_DIR: server.workDir })
      expect(next.files()).toEqual([])
      expect(await ask(next, 'GET', `/jobs/${id}`)).toMatchObject({ http: 404 })
      expect(await transcode(next, clip)).toMatchObject({ state: 'ready' })
    },
  )

  it('stops at the time limit', async () => {
    const server = await startServer({ MAX_SECONDS: '1' })
    const id = await beginStream(server)
    expect(await untilEnded(server, id)).toMatchObject({ state: 'failed', failure: 'too_long' })
    await ended(server)
  })

  it.runIf(process.platform === 'linux')('stops at the memory limit', async () => {
    const server = await startServer({ MAX_MEMORY: '150000000' })
    const source = make([...pattern('2560x1440', 1, 10), ...h264], 'a.mp4')
    const job = await transcode(server, source, { max_dimension: 2560 })
    expect(job).toMatchObject({ state: 'failed', failure: 'out_of_memory' })
    expect(await transcode(server, clip)).toMatchObject({ state: 'ready' })
  })
})

it('does not start with an invalid limit', async () => {
  const program = () =>
    execFileSync(process.execPath, ['containers/media/server.ts'], { env: { MAX_JOBS: 'two' }, stdio: 'pipe' })
  expect(program).toThrow('MAX_JOBS is not a number')
})
