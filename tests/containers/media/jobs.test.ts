import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Tool } from '../../../containers/media/ffmpeg/child.ts'
import { readSettings } from '../../../containers/media/settings.ts'
import { Disk } from '../../../containers/media/videos/disk.ts'
import { Jobs } from '../../../containers/media/videos/jobs.ts'

function openJobs() {
  const folder = mkdtempSync(join(tmpdir(), 'media-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const none: Tool = ['false']
  const bounds = { memory: undefined, threads: 1, canToneMap: false, canStream: false }
  const tools = { kind: 'wasm', ffmpeg: none, ffprobe: none, ...bounds } as const
  return { folder, jobs: new Jobs({ settings: readSettings({}), folder, disk: new Disk(1000), tools }) }
}

const asked = { size: 600, isStreamable: false, mayCopy: false, maxDimension: 100, duration: undefined }

it('removes a job that nobody asked about for half an hour', async () => {
  const { jobs, folder } = openJobs()
  await jobs.begin('a', asked)
  await jobs.removeIdle(Date.now() + 29 * 60_000)
  expect([jobs.size, readdirSync(folder).length]).toEqual([1, 1])
  await jobs.removeIdle(Date.now() + 31 * 60_000)
  expect([jobs.size, readdirSync(folder).length]).toEqual([0, 0])
  await jobs.begin('b', asked)
})

it('counts bytes once for whoever holds them', () => {
  const disk = new Disk(100)
  const [one, other] = [{}, {}]
  expect([disk.hold(one, 60), disk.hold(other, 50), disk.hold(other, 40), disk.hold(one, 61)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  disk.release(one)
  expect(disk.hold(other, 100)).toBe(true)
})
