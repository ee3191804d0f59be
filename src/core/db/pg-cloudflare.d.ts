// Types of the npm package `pg-cloudflare`. Its own types describe its empty replacement for other runtimes.
declare module 'pg-cloudflare' {
  import type { Duplex } from 'node:stream'
  export const CloudflareSocket: new (ssl: boolean) => Duplex
}
