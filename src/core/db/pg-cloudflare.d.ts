// The package's own types are those of its empty stand-in for other runtimes.
declare module 'pg-cloudflare' {
  import type { Duplex } from 'node:stream'
  export const CloudflareSocket: new (ssl: boolean) => Duplex
}
