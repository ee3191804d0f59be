// Types of the npm package `pg-cloudflare`, with which `tcp.ts` opens sockets in Workers. The package ships types only
// for its empty Node version.
declare module 'pg-cloudflare' {
  import type { Duplex } from 'node:stream'
  export const CloudflareSocket: new (ssl: boolean) => Duplex
}
