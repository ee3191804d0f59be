// The peer of the media component in benchmarks: sharp behind node:http, as in image servers, and uploads piped to the
// disk. node bench/media/peer.ts <folder of the files>
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import { host } from '../../scripts/stack/port.ts'
import { serve } from '../queue/remote.ts'

export type Peer = typeof peer

const folder = process.argv[2]!

const server = createServer(async (request, response) => {
  try {
    const answer = await (request.method === 'POST' ? store(request) : shrink(request.url!))
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': answer.length }).end(answer)
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}).listen(0, host)

/** Serves a smaller picture at /<file>?w=<width>&q=<quality>. */
async function shrink(url: string): Promise<Buffer> {
  const { pathname, searchParams } = new URL(url, 'http://peer')
  return sharp(await readFile(join(folder, pathname)))
    .autoOrient()
    .resize(Number(searchParams.get('w')))
    .jpeg({ quality: Number(searchParams.get('q')) })
    .toBuffer()
}

/** Writes the whole body of an upload to the disk. */
async function store(request: IncomingMessage): Promise<string> {
  await pipeline(request, createWriteStream(join(folder, 'stored')))
  return ''
}

const peer = { url: () => `http://${host}:${(server.address() as AddressInfo).port}` }

await once(server, 'listening')
serve(peer)
