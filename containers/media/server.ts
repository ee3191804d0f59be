// node server.ts: images with libvips, videos with ffmpeg. The first line of output is the address.
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
import { Disk } from './videos/disk-budget.ts'
import type { JobContext } from './videos/job.ts'
import { Jobs } from './videos/jobs.ts'

const settings = readSettings(process.env)
// One of its own: what else lies in the folder that was named stays.
const folder = join(settings.workDir, 'jobs')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const [tools] = await Promise.all([findTools(settings, availableParallelism()), warmUp()])
const place: JobContext = { settings, tools, folder, disk: new Disk(settings.maxDisk) }
const jobs = new Jobs(place)

const server = createServer(listener(place, jobs))
// A source arrives as fast as ffmpeg reads it.
server.requestTimeout = 0
// Longer than callers keep a connection, so that it is never closed under a request.
server.keepAliveTimeout = 120_000
server.listen(settings.port, settings.host, () => {
  const { address, port } = server.address() as AddressInfo
  console.log(`http://${address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address}:${port}`)
})

setInterval(() => void jobs.removeIdle().catch(logError), 60_000).unref()

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void jobs.removeAll().finally(() => process.exit(0)))
}
