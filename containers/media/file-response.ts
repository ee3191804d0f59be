import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { HttpError } from '../shared/http-error.ts'

/** Sends a file, or the range of it that is asked for; 416 where it has none of that. */
export async function sendFile(request: IncomingMessage, response: ServerResponse, path: string, type: string) {
  const { size } = await stat(path)
  const range = rangeOf(request.headers.range, size)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  response.writeHead(range ? 206 : 200, {
    'content-type': type,
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  // Who has gone away needs no more of it.
  await pipeline(createReadStream(path, { start, end }), response).catch(() => response.destroy())
}

function rangeOf(header: string | undefined, size: number) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end && start < size) return { start, end }
  throw new HttpError(416, 'range_not_satisfiable', 'The file has no such range', {
    headers: { 'content-range': `bytes */${size}` },
  })
}
