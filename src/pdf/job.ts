import type { Posted } from './contract.ts'

/** What the container is asked for. The same input is the same JSON, key by key: the schema has put them in order. */
export type PrintJob = Omit<Posted, 'html_link' | 'filename' | 'store'> & { link?: string | undefined }

/** All of what is asked for that its bytes depend on. */
export function jobOf({ html, html_link, filename: _, store: __, ...options }: Posted): PrintJob {
  return html ? { ...options, html } : { ...options, link: html_link }
}

const slice = 65_536

/** A job as JSON, in pieces: of 16 MB of HTML there is never a second copy. */
export function* piecesOf({ html, ...rest }: PrintJob): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  const json = JSON.stringify(rest)
  if (html === undefined) return yield encoder.encode(json)
  yield encoder.encode(`${json.slice(0, -1)},"html":"`)
  // A pair of surrogates that is cut apart is written as two escapes, which are read as the pair again.
  for (let at = 0; at < html.length; at += slice)
    yield encoder.encode(JSON.stringify(html.slice(at, at + slice)).slice(1, -1))
  yield encoder.encode('"}')
}

/** The same as a request's body. Who does not read it to its end has no need of the rest. */
export function streamOf(job: PrintJob): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream()
  write(piecesOf(job), writable).catch(() => undefined)
  return readable
}

async function write(pieces: Iterable<Uint8Array>, to: WritableStream<Uint8Array>): Promise<void> {
  const writer = to.getWriter()
  for (const piece of pieces) await writer.write(piece)
  await writer.close()
}

/** The SHA-256 of a job, in hexadecimal digits. */
export async function digestOf(job: PrintJob): Promise<string> {
  const stream = new crypto.DigestStream('SHA-256')
  await write(piecesOf(job), stream)
  return new Uint8Array(await stream.digest).toHex()
}
