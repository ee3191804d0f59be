import { atWork, busy, calls, counts, tally } from './counts.ts'
import { meteredDatabase, over } from './database.ts'

/**
 * Wraps the bindings of a Worker in meters, which count calls for the cost measurement. Bindings that are neither
 * storage nor services stay unchanged.
 */
export function meteredBindings<Env extends object>(env: Env): Env {
  const entries = Object.entries(env).map(([name, value]) => [name, meteredBinding(name, value)])
  return Object.fromEntries(entries) as Env // The same names, with the same interfaces.
}

function meteredBinding(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // Bindings are recognized by their methods, because the names of their classes may change in the runtime.
  if ('prepare' in value && 'batch' in value) return meteredDatabase(value as D1Database)
  if ('createMultipartUpload' in value) return meteredBucket(value as R2Bucket)
  if ('idFromName' in value) return meteredNamespace(name, value as DurableObjectNamespace)
  if ('fetch' in value) return meteredService(value as Fetcher)
  return value
}

const meteredService = (service: Fetcher) =>
  over(service, {
    fetch: (...request: Parameters<Fetcher['fetch']>) => {
      counts.bound++
      return service.fetch(...request)
    },
  })

function meteredNamespace(name: string, namespace: DurableObjectNamespace) {
  const stubOf = (stub: object, key: string) =>
    new Proxy(stub, {
      get: (_, method) => {
        const value: unknown = Reflect.get(stub, method)
        if (typeof value !== 'function') return value
        return (...values: unknown[]) => {
          counts.object_requests++
          tally(busy, `${name} ${key}`)
          return Reflect.apply(value, stub, values)
        }
      },
    })
  return over(namespace, {
    get: (id: DurableObjectId) => stubOf(namespace.get(id), id.name ?? id.toString()),
    getByName: (key: string) => stubOf(namespace.getByName(key), key),
  })
}

/**
 * Wraps an R2 bucket in a meter. It counts by Cloudflare's classes (https://developers.cloudflare.com/r2/pricing):
 * class A writes and lists, class B reads, and deleting is free.
 */
function meteredBucket(bucket: R2Bucket) {
  return over(bucket, {
    head: (key: string) => {
      counts.r2_b++
      return bucket.head(key)
    },
    get: async (key: string, options?: R2GetOptions) => {
      counts.r2_b++
      const object = await bucket.get(key, options)
      const { range, size = 0 } = object ?? {}
      counts.r2_bytes_out += range && 'length' in range ? (range.length ?? size) : size
      return object
    },
    put: async (...values: Parameters<R2Bucket['put']>) => {
      counts.r2_a++
      const object = await bucket.put(...values)
      counts.r2_bytes_in += (object as R2Object | null)?.size ?? 0 // Null if a condition fails.
      return object
    },
    list: (options?: R2ListOptions) => {
      counts.r2_a++
      return bucket.list(options)
    },
    createMultipartUpload: async (...values: Parameters<R2Bucket['createMultipartUpload']>) => {
      counts.r2_a++
      return meteredUpload(await bucket.createMultipartUpload(...values))
    },
    resumeMultipartUpload: (key: string, id: string) => meteredUpload(bucket.resumeMultipartUpload(key, id)),
  })
}

const meteredUpload = (upload: R2MultipartUpload) =>
  over(upload, {
    uploadPart: (...values: Parameters<R2MultipartUpload['uploadPart']>) => {
      counts.r2_a++
      return upload.uploadPart(...values)
    },
    complete: async (parts: R2UploadedPart[]) => {
      counts.r2_a++
      const object = await upload.complete(parts)
      counts.r2_bytes_in += object.size
      return object
    },
  })

/** Replaces the methods of the console by ones that count their lines. */
export function meterConsole() {
  for (const name of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    const write = console[name].bind(console)
    console[name] = (...values: unknown[]) => {
      counts.logged++
      write(...values)
    }
  }
}

/** Replaces the global `fetch` by one that counts its requests. */
export function meterFetch() {
  const { fetch } = globalThis
  globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
    counts.fetched++
    const url = new URL(input instanceof Request ? input.url : String(input))
    tally(calls, `${url.origin}/${url.pathname.split('/')[1]}`)
    return atWork(() => fetch(input, init))
  }
}
