// Shared helpers of the PDF tests: the component with a simulated Chromium container.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Env } from '#pdf/bindings'
import { pdf } from '#pdf/index'

export const bound = env as unknown as Env

interface ContainerRequest {
  path: string
  headers: Headers
  json: Record<string, unknown>
}

/** The reply of a simulated container to a request. */
export type Work = (sent: ContainerRequest) => Response | Promise<Response>

export function printed(text: string): Response {
  const bytes = new TextEncoder().encode(text)
  const headers = { 'content-type': 'application/pdf', 'content-length': String(bytes.length) }
  return new Response(bytes, { headers })
}

/** A document's bytes as text. */
export const textOf = async (response: Response | Promise<Response>) =>
  new TextDecoder().decode(await (await response).bytes())

export const refused = (status: number, code: string, message = 'words', headers: Record<string, string> = {}) =>
  Response.json({ status: false, status_code: code, message }, { status, headers })

/** A simulated container whose n-th document has the text `%PDF n`, from 0, so that a cached document can be told from a new one. */
export function counting(): Work {
  let count = 0
  return () => printed(`%PDF ${count++}`)
}

/** The PDF component with further variables and a simulated container that replies by `work`. `jobs` has the requests it got. */
export function pdfOn(work: Work = counting(), given: Partial<Env> = {}) {
  const jobs: ContainerRequest[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    const text = await request.text()
    const { pathname } = new URL(url)
    const sent = { path: pathname, headers: request.headers, json: text ? JSON.parse(text) : {} }
    jobs.push(sent)
    return work(sent)
  }
  const its: Env = { ...bound, CHROMIUM_CONTAINER: { fetch } as never, ...given }
  const ask = (method: string, params: object = {}, headers: HeadersInit = {}) => {
    const isPost = method === 'POST'
    const query = isPost ? '' : `?${new URLSearchParams(params as Record<string, string>)}`
    const init = { method, headers, ...(isPost && { body: JSON.stringify(params) }) }
    return pdf.fetch(new Request(`http://pdf.test/pdf${query}`, init), its, createExecutionContext())
  }
  return { env: its, jobs, ask }
}

interface Refusal {
  status: boolean
  status_code: string
  message: string
  errors?: object
}

/** The JSON of an error reply. */
export const saidBy = async (response: Response | Promise<Response>) => (await (await response).json()) as Refusal
