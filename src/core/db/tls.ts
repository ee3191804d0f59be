import { notConfigured } from '#core/failure'

/** The values of `PG_SSLMODE` and `sslmode`; all but the first two encrypt and verify the server's certificate. */
const modes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

/** Parameters of an address that already decide about TLS, unless they are empty. */
const decisive = ['sslmode', 'ssl', 'sslrootcert']

/**
 * The address of a Postgres with its TLS mode as `sslmode`: the address' own, else `PG_SSLMODE`, else TLS with a verified
 * certificate unless the server is on this machine.
 */
export function withTlsMode(address: string, mode: string | undefined): string {
  if (mode && !modes.includes(mode)) throw notConfigured(`PG_SSLMODE must be one of ${modes.join(', ')}`)
  const url = new URL(address)
  if (decisive.some((name) => url.searchParams.get(name)) || (!mode && isLocal(url))) return address
  url.searchParams.set('sslmode', mode || 'verify-full')
  return url.href
}

/** A loopback address, or the folder of a unix socket. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname
  return /^(\/|%2f)/i.test(host) || /^(127(\.\d+){3}|\[?::1\]?|(.+\.)?localhost)$/i.test(host)
}
