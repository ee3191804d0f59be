// Runs the media component in tests with chosen bindings, and lists the data that it leaves behind.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { like } from 'drizzle-orm'
import { expect } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#media/bindings'
import { media } from '#media/index'
import { schema } from '#media/schema'

export const bound = env as unknown as Env

export interface Answer {
  status: number
  headers: Headers
  json: Record<string, unknown> & { digest: string }
}

interface Upload {
  filename?: string
  type?: string
  scope?: string
}

/**
 * Runs the media component with other bindings or variables. Its digests have a unique prefix, so that `left` finds only its own
 * data.
 */
export function mediaOn(given: Partial<Env> = {}) {
  const prefix = `${crypto.randomUUID().slice(0, 8)}.`
  const { files, uploads, puts } = watched(given.FILES ?? bound.FILES)
  const its: Env = { ...bound, UPLOAD_DIGEST_PREFIX: prefix, ...given, FILES: files }
  const fetch = (path: string, init?: RequestInit) =>
    media.fetch(new Request(`http://media.test${path}`, init), its, createExecutionContext())
  const ask = (method: string, path: string, params?: object) =>
    answered(fetch(path, { method, ...(params && { body: JSON.stringify(params) }) }))
  const upload = (kind: string, bytes: Uint8Array | string, { filename = 'a.txt', type = '', scope }: Upload = {}) => {
    const form = new FormData()
    if (scope !== undefined) form.set('scope', scope)
    form.set('file', new File([bytes], filename, { type }))
    return answered(fetch(`/${kind}`, { method: 'POST', body: form }))
  }
  const bytesOf = async (path: string, headers: HeadersInit = {}) => (await fetch(path, { headers })).bytes()
  return {
    env: its,
    store: open(its, schema),
    fetch,
    ask,
    upload,
    bytesOf,
    puts,
    left: () => leftOf(its, prefix, uploads),
  }
}

export type Media = ReturnType<typeof mediaOn>

/** Reads a reply whose body is JSON or empty. */
export async function answered(reply: Response | Promise<Response>): Promise<Answer> {
  const response = await reply
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, json: text ? JSON.parse(text) : {} }
}

/**
 * Lists all data of the digests with a prefix: items, pending uploads, objects, and multipart uploads that can still be continued.
 */
async function leftOf(its: Env, prefix: string, begun: { key: string; id: string }[]) {
  const { db, items, pendingUploads } = open(its, schema)
  const { objects } = await bound.FILES.list({ prefix })
  const isOpen = ({ key, id }: { key: string; id: string }) =>
    bound.FILES.resumeMultipartUpload(key, id)
      .uploadPart(1, 'x')
      .then(
        () => [key],
        () => [],
      )
  return {
    items: (
      await db
        .select()
        .from(items)
        .where(like(items.digest, `${prefix}%`))
    ).map(({ digest }) => digest),
    pendingUploads: (
      await db
        .select()
        .from(pendingUploads)
        .where(like(pendingUploads.digest, `${prefix}%`))
    ).map(({ digest }) => digest),
    objects: objects.map(({ key }) => key),
    uploads: (await Promise.all(begun.map(isOpen))).flat(),
  }
}

export const nothing = { items: [], pendingUploads: [], objects: [], uploads: [] }

/** A bucket with a record of the multipart uploads that were created and of the keys that were written. */
function watched(bucket: R2Bucket) {
  const uploads: { key: string; id: string }[] = []
  const puts: string[] = []
  const own: Partial<R2Bucket> = {
    put: (async (key: string, ...rest: [never, never]) => {
      puts.push(key)
      return bucket.put(key, ...rest)
    }) as R2Bucket['put'],
    createMultipartUpload: async (key, options) => {
      const upload = await bucket.createMultipartUpload(key, options)
      uploads.push({ key, id: upload.uploadId })
      return upload
    },
  }
  return { files: otherwise(bucket, own), uploads, puts }
}

/** Replaces some methods of an object of the runtime. */
export const otherwise = <T extends object>(target: T, own: Partial<T>): T =>
  new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T]
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The expected error reply. */
export const refusal = (status: number, status_code: string) => ({ status, json: { status: false, status_code } })

export const invalidParameters = (...fields: string[]) => ({
  status: 400,
  json: {
    status: false,
    status_code: 'validation_failed',
    errors: Object.fromEntries(fields.map((field) => [field, expect.any(String)])),
  },
})

export const unknownDigest = '0123456789abcde'

/** Makes `size` pseudo-random bytes. Their pattern does not repeat at the size of a part, so that swapped parts are noticed. */
export function noise(size: number, seed = 1) {
  const bytes = new Uint8Array(size)
  let state = seed
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

export const sha = async (bytes: BufferSource) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex()
