// node server.ts: the server that processes images with libvips and videos with ffmpeg. It prints its address as the first line.
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { logError } from '../shared/reply.ts'
import { findTools } from './ffmpeg/tools.ts'
import { warmUp } from './image.ts'
import { listener } from './routes.ts'
import { readSettings } from './settings.ts'
import { DiskBudget } from './videos/disk-budget.ts'
import type { JobContext } from './videos/job.ts'
import { Jobs } from './videos/jobs.ts'

const settings = readSettings(process.env)
// Jobs have their own subfolder, which is deleted at the start, so that other files in WORK_DIR stay.
const folder = join(settings.workDir, 'jobs')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const [tools] = await Promise.all([findTools(settings, availableParallelism()), warmUp()])
const context: JobContext = { settings, tools, folder, disk: new DiskBudget(settings.maxDisk) }
const jobs = new Jobs(context)

const server = createServer(listener(context, jobs))
// Requests have no time limit: a source arrives only as fast as ffmpeg reads it.
server.requestTimeout = 0
// Longer than clients keep idle connections, so that the server never closes a connection while a request arrives.
server.keepAliveTimeout = 120_000
server.listen(settings.port, settings.host, () => {
  const { address, port } = server.address() as AddressInfo
  console.log(`http://${address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address}:${port}`)
})

setInterval(() => void jobs.removeIdle().catch(logError), 60_000).unref()

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void jobs.removeAll().finally(() => process.exit(0)))
}
