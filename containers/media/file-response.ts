import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { HttpError } from '../shared/http-error.ts'

/**
 * Sends a file of a transcoding job, or the requested range of it (RFC 9110, section 14). Throws 416 if the range is
 * outside the file.
 */
export async function sendFile(request: IncomingMessage, response: ServerResponse, path: string, type: string) {
  const { size } = await stat(path)
  const range = parseRange(request.headers.range, size)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  response.writeHead(range ? 206 : 200, {
    'content-type': type,
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  // An error here means that the client has disconnected, so it is ignored.
  await pipeline(createReadStream(path, { start, end }), response).catch(() => response.destroy())
}

function parseRange(header: string | undefined, size: number) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end && start < size) return { start, end }
  throw new HttpError(416, 'range_not_satisfiable', `The range must start before byte ${size}, the end of the file`, {
    headers: { 'content-range': `bytes */${size}` },
  })
}
