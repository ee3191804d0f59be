// Tests the life of transcoding jobs in the media container: creation, storage of the source, and removal.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Tool } from '../../../containers/media/ffmpeg/child-process.ts'
import { readSettings } from '../../../containers/media/settings.ts'
import { DiskBudget } from '../../../containers/media/videos/disk-budget.ts'
import { Jobs } from '../../../containers/media/videos/jobs.ts'
import { FileSource } from '../../../containers/media/videos/source.ts'
import { startedWithoutFiles } from '../files.ts'

function openJobs() {
  const folder = mkdtempSync(join(tmpdir(), 'media-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const none: Tool = ['false']
  const bounds = { memory: undefined, threads: 1, canToneMap: false, canStream: false }
  const tools = { kind: 'wasm', ffmpeg: none, ffprobe: none, ...bounds } as const
  return { folder, jobs: new Jobs({ settings: readSettings({}), folder, disk: new DiskBudget(1000), tools }) }
}

const newJob = { size: 600, isStreamable: false, mayCopy: false, maxDimension: 100, duration: undefined }

it('removes a job without requests for half an hour', async () => {
  const { jobs, folder } = openJobs()
  await jobs.begin('a', newJob)
  await jobs.removeIdle(Date.now() + 29 * 60_000)
  expect([jobs.size, readdirSync(folder).length]).toEqual([1, 1])
  await jobs.removeIdle(Date.now() + 31 * 60_000)
  expect([jobs.size, readdirSync(folder).length]).toEqual([0, 0])
  await jobs.begin('b', newJob)
})

it('deletes a job that could not start, and creates it again on request', async () => {
  const { jobs, folder } = openJobs()
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  for (const _ of ['once', 'twice', 'thrice'])
    await expect(jobs.begin('a', newJob)).rejects.toMatchObject({ code: 'ENOTDIR' })
  expect(jobs.size).toBe(0)
  rmSync(folder)
  mkdirSync(folder)
  expect((await jobs.begin('a', newJob)).view()).toMatchObject({ state: 'receiving' })
})

it('rejects if the source could not be stored, and stores it once that is possible', async () => {
  const { folder } = openJobs()
  const [lost, late] = ['lost', 'late'].map((name) => new FileSource(join(folder, name, 'source'))) as [FileSource, FileSource] // biome-ignore format: one line
  await lost.end()
  await expect(lost.isReadable).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(late.append(Buffer.from('a'))).rejects.toMatchObject({ code: 'ENOENT' })
  mkdirSync(join(folder, 'late'))
  await late.append(Buffer.from('a'))
  await late.end()
  await late.isReadable
  expect(readFileSync(join(folder, 'late', 'source'), 'utf8')).toBe('a')
})

it('reports that no program could be started without free file descriptors', async () => {
  const start = `startChild(['true'], [], { memory: undefined, signal: new AbortController().signal }, () => {})`
  expect(await startedWithoutFiles('containers/media/ffmpeg/child-process.ts', start)).toBe('cannot be started')
})

it('replaces the reservation of an owner', () => {
  const disk = new DiskBudget(100)
  const [one, other] = [{}, {}]
  expect([disk.reserve(one, 60), disk.reserve(other, 50), disk.reserve(other, 40), disk.reserve(one, 61)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  disk.release(one)
  expect(disk.reserve(other, 100)).toBe(true)
})
