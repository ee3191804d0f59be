// Sets the TLS mode of connections to Postgres. By default they verify the server's certificate, unless the server is on this
// machine.
import { notConfigured } from '#core/failure'

/** The values of `PG_SSLMODE` and `sslmode`. All but the first two encrypt and verify the server's certificate. */
const modes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

/** Parameters of a URL that set TLS options, unless they are empty. */
const tlsParameters = ['sslmode', 'ssl', 'sslrootcert']

/**
 * Adds the TLS mode to a Postgres URL as `sslmode`, unless the URL sets TLS options: `PG_SSLMODE`, by default `verify-full`
 * unless the server is on this machine.
 */
export function withTlsMode(address: string, mode: string | undefined): string {
  if (mode && !modes.includes(mode)) throw notConfigured(`PG_SSLMODE must be one of ${modes.join(', ')}.`)
  const url = new URL(address)
  if (tlsParameters.some((name) => url.searchParams.get(name)) || (!mode && isLocal(url))) return address
  url.searchParams.set('sslmode', mode || 'verify-full')
  return url.href
}

/** A loopback address, or the folder of a unix socket. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname
  return /^(\/|%2f)/i.test(host) || /^(127(\.\d+){3}|\[?::1\]?|(.+\.)?localhost)$/i.test(host)
}
