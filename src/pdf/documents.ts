// Replies with documents from the cache (cache.ts) or the store (store.ts), or newly printed (print-client.ts).
import fresh from 'fresh'
import { invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import { type CachedPdf, type CacheKey, findCached, putCached } from './cache.ts'
import type { PdfRequest, PostRequest, StoredDocument } from './contract.ts'
import { cacheTtlOf } from './env.ts'
import { disposition } from './filename.ts'
import { jobDigest, jobOf, type PrintJob } from './job.ts'
import { printDocument } from './print-client.ts'
import { findDocument, storeDocument } from './store.ts'

/** Throws `validation_failed` if the link leads to an address that callers must not reach, such as a private one. */
function checkLink(env: Env, { html_link }: PdfRequest): void {
  const objection = html_link && objectionTo(html_link, env)
  if (objection) throw invalid('html_link', objection)
}

/** Prints a document, and stores it under the caller's name. */
export async function printToStore(env: Env, params: PostRequest, name: string): Promise<StoredDocument> {
  checkLink(env, params)
  return storeDocument(env, { name, filename: params.filename }, await printDocument(env, jobOf(params)))
}

/** The download of a stored document. */
export async function serveStored(env: Env, request: Request, name: string): Promise<Response> {
  const { object, filename } = await findDocument(env, name)
  const headers = { ...headersOf({ filename }), 'content-length': String(object.size), etag: object.httpEtag }
  if (request.method !== 'HEAD') return new Response(object.body, { headers })
  await object.body.cancel()
  return new Response(null, { headers })
}

/** Returns the document from the cache, else prints it. A HEAD request prints nothing. */
export async function serveDocument(env: Env, request: Request, params: PdfRequest): Promise<Response> {
  checkLink(env, params)
  const job = jobOf(params)
  const headers = headersOf(params)
  const ttl = cacheTtlOf(env)
  if (ttl === 0) return request.method === 'HEAD' ? new Response(null, { headers }) : serveNew(env, job, headers)
  const key = { digest: await jobDigest(job), ttl }
  const cached = await lookUp(env, key)
  if (cached) return serveCached(request, cached, headers)
  if (request.method === 'HEAD') return new Response(null, { headers })
  const added = await printToCache(env, key, job)
  return added ? serveCached(request, added, headers) : serveNew(env, job, headers)
}

const headersOf = ({ filename }: Pick<PdfRequest, 'filename'>) => ({
  'content-type': 'application/pdf',
  'content-disposition': disposition(filename),
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** Prints a document without the cache. */
async function serveNew(env: Env, job: PrintJob, headers: Record<string, string>): Promise<Response> {
  const { body, size } = await printDocument(env, job)
  return new Response(body, {
    headers: { ...headers, 'content-length': String(size) },
  })
}

/** Serves a cached document, or 304 if the client has it (RFC 9110, section 13). */
async function serveCached(
  { method, headers: requestHeaders }: Request,
  { object, until }: CachedPdf,
  headers: Record<string, string>,
) {
  const age = Math.max(0, until - Math.floor(Date.now() / 1_000))
  const allHeaders = { ...headers, etag: object.httpEtag, 'cache-control': `private, max-age=${age}` }
  const isNotModified = method !== 'POST' && fresh(Object.fromEntries(requestHeaders), { etag: object.httpEtag })
  if (isNotModified || method === 'HEAD') await object.body.cancel()
  if (isNotModified) return new Response(null, { status: 304, headers: allHeaders })
  return new Response(method === 'HEAD' ? null : object.body, {
    headers: { ...allHeaders, 'content-length': String(object.size) },
  })
}

/** Prints a document and caches it. Of concurrent identical requests, all get the document that was cached first. */
async function printToCache(env: Env, key: CacheKey, job: PrintJob): Promise<CachedPdf | undefined> {
  const printed = await printDocument(env, job)
  return ignoreCacheErrors(async () => {
    await putCached(env, key, printed)
    return findCached(env, key)
  })
}

const lookUp = (env: Env, key: CacheKey) => ignoreCacheErrors(() => findCached(env, key))

/** Logs an error of the cache and returns undefined, so that the document is printed without the cache. */
async function ignoreCacheErrors<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    log('error', { component: 'pdf', route: 'cache', ...describe(error) })
    return undefined
  }
}
