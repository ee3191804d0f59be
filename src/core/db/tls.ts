// Sets the TLS mode of connections to Postgres. By default, connections verify the server's certificate, unless the
// server runs on this machine.
import { notConfigured } from '#core/failure'

/**
 * The allowed values of `PG_SSLMODE` and `sslmode`. All but `disable` and `no-verify` encrypt and verify the server's
 * certificate.
 */
const modes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

/**
 * Query parameters of a Postgres URL that set TLS options. If one of them is set, the URL decides and the default mode
 * does not apply.
 */
const tlsParameters = ['sslmode', 'ssl', 'sslrootcert']

/**
 * Adds the TLS mode to a Postgres URL as `sslmode`, unless the URL sets TLS options itself. The mode is `PG_SSLMODE`;
 * its default is `verify-full`, or `disable` for a server on this machine.
 */
export function withTlsMode(address: string, mode: string | undefined): string {
  if (mode && !modes.includes(mode)) throw notConfigured(`PG_SSLMODE must be one of ${modes.join(', ')}.`)
  const url = new URL(address)
  if (tlsParameters.some((name) => url.searchParams.get(name)) || (!mode && isLocal(url))) return address
  url.searchParams.set('sslmode', mode || 'verify-full')
  return url.href
}

/**
 * Whether a Postgres URL names a server on this machine: a loopback address, or the folder of a unix socket. Such
 * connections need no TLS.
 */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname
  return /^(\/|%2f)/i.test(host) || /^(127(\.\d+){3}|\[?::1\]?|(.+\.)?localhost)$/i.test(host)
}
