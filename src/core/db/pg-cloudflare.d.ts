// The types in the package are those of its empty replacement for other runtimes.
declare module 'pg-cloudflare' {
  import type { Duplex } from 'node:stream'
  export const CloudflareSocket: new (ssl: boolean) => Duplex
}
