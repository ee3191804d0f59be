import fresh from 'fresh'
import { invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import { type CacheKey, findKept, type Kept, keep } from './cache.ts'
import type { PdfRequest, Posted, StoredDocument } from './contract.ts'
import { cacheTtlOf } from './env.ts'
import { disposition } from './filename.ts'
import { digestOf, jobOf, type PrintJob } from './job.ts'
import { printDocument } from './printing.ts'
import { findDocument, storeDocument } from './store.ts'

/** Refuses a link to an address that callers must not reach. */
function checkLink(env: Env, { html_link }: PdfRequest): void {
  const objection = html_link && objectionTo(html_link, env)
  if (objection) throw invalid('html_link', objection)
}

/** Prints a document and stores it under the name that the caller has chosen. */
export async function printToStore(env: Env, asked: Posted, name: string): Promise<StoredDocument> {
  checkLink(env, asked)
  return storeDocument(env, { name, filename: asked.filename }, await printDocument(env, jobOf(asked)))
}

/** A stored document, as it is downloaded. */
export async function serveStored(env: Env, request: Request, name: string): Promise<Response> {
  const { object, filename } = await findDocument(env, name)
  const headers = { ...headersOf({ filename }), 'content-length': String(object.size), etag: object.httpEtag }
  if (request.method !== 'HEAD') return new Response(object.body, { headers })
  await object.body.cancel()
  return new Response(null, { headers })
}

/** The document that is asked for, from the cache where there is one. A HEAD has nothing printed. */
export async function serveDocument(env: Env, request: Request, asked: PdfRequest): Promise<Response> {
  checkLink(env, asked)
  const job = jobOf(asked)
  const headers = headersOf(asked)
  const ttl = cacheTtlOf(env)
  if (ttl === 0) return request.method === 'HEAD' ? new Response(null, { headers }) : serveNew(env, job, headers)
  const place = { digest: await digestOf(job), ttl }
  const kept = await lookUp(env, place)
  if (kept) return serveKept(request, kept, headers)
  if (request.method === 'HEAD') return new Response(null, { headers })
  const added = await add(env, place, job)
  return added ? serveKept(request, added, headers) : serveNew(env, job, headers)
}

const headersOf = ({ filename }: Pick<PdfRequest, 'filename'>) => ({
  'content-type': 'application/pdf',
  'content-disposition': disposition(filename),
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** As it comes from the container. */
async function serveNew(env: Env, job: PrintJob, headers: Record<string, string>): Promise<Response> {
  const { body, size } = await printDocument(env, job)
  return new Response(body, {
    headers: { ...headers, 'content-length': String(size) },
  })
}

/** A kept document, or that the caller has it (RFC 9110, 13). */
async function serveKept(
  { method, headers: asked }: Request,
  { object, until }: Kept,
  headers: Record<string, string>,
) {
  const age = Math.max(0, until - Math.floor(Date.now() / 1_000))
  const of = { ...headers, etag: object.httpEtag, 'cache-control': `private, max-age=${age}` }
  const isKnown = method !== 'POST' && fresh(Object.fromEntries(asked), { etag: object.httpEtag })
  if (isKnown || method === 'HEAD') await object.body.cancel()
  if (isKnown) return new Response(null, { status: 304, headers: of })
  return new Response(method === 'HEAD' ? null : object.body, {
    headers: { ...of, 'content-length': String(object.size) },
  })
}

/** Prints a document and keeps it; whoever asks for the same at once gets the one that was kept first. */
async function add(env: Env, place: CacheKey, job: PrintJob): Promise<Kept | undefined> {
  const printed = await printDocument(env, job)
  return withoutHarm(async () => {
    await keep(env, place, printed)
    return findKept(env, place)
  })
}

const lookUp = (env: Env, place: CacheKey) => withoutHarm(() => findKept(env, place))

/** Where the cache fails, the document is printed without it. */
async function withoutHarm<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    log('error', { component: 'pdf', route: 'cache', ...describe(error) })
    return undefined
  }
}
