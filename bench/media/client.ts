// Uploads to and downloads from the media component in benchmarks.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** The body of an upload form, as a browser sends it. */
export interface Form {
  type: string
  body: Uint8Array<ArrayBuffer>
}

export async function formOf(bytes: Uint8Array<ArrayBuffer>, filename: string): Promise<Form> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), filename)
  const request = new Response(form)
  return { type: request.headers.get('content-type')!, body: new Uint8Array(await request.arrayBuffer()) }
}

export const formOfFile = async (path: string) => formOf(await readFile(path), basename(path))

/** Sends a form; throws unless the reply is 2xx. */
export async function send(url: string, { type, body }: Form): Promise<Response> {
  return granted(await fetch(url, { method: 'POST', headers: { 'content-type': type }, body }))
}

/** An item, as the reply to its upload describes it. */
interface Stored {
  digest: string
  state?: string
}

/** Uploads a file to a path of the media component. */
export const store = async (url: string, form: Form) => (await (await send(url, form)).json()) as Stored

/** Downloads a file; throws unless the reply is 2xx. */
export async function take(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await granted(await fetch(url))
  return new Uint8Array(await response.arrayBuffer())
}

async function granted(response: Response): Promise<Response> {
  if (response.ok) return response
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
}
