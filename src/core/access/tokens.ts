// Tokens for browsers, apps and components: JWTs (RFC 7519) signed with Ed25519 (RFC 8037).
import { type CryptoKey, importJWK, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { Credential } from './credential.ts'

const algorithm = 'EdDSA'
const issuer = 'quartermaster'

/** A token that seems to be issued later than this is refused. Clocks of machines may differ by less. */
const maxClockSkewMs = 60_000

/** Maximum length of a token in characters. Longer ones are neither issued nor verified. */
export const maxTokenLength = 8_192

const Claims = z.object({
  kind: z.enum(['token', 'service']),
  /** Id of the key that issued the token, or the name of the calling component. */
  sub: z.string(),
  scopes: z.array(z.string()),
  bounds: z.record(z.string(), z.string()).default({}),
  origins: z.array(z.string()).optional(),
  /** `requests_per_minute` of the key. */
  rpm: z.int().positive().optional(),
  iat: z.number(),
  exp: z.number(),
})

/** What a token says about its holder. */
type TokenClaims = Omit<z.input<typeof Claims>, 'iat' | 'exp'>

export interface SigningKey {
  kid: string
  privateKey: CryptoKey | Uint8Array
}

/** Signs a token that is valid for `lifetimeS` seconds from `now` on. */
export async function signToken(claims: TokenClaims, lifetimeS: number, { kid, privateKey }: SigningKey, now: Date) {
  const issued = Math.floor(now.getTime() / 1_000)
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setIssuedAt(issued)
    .setExpirationTime(issued + lifetimeS)
    .setJti(crypto.randomUUID())
    .sign(privateKey)
  return { token, expires_at: new Date((issued + lifetimeS) * 1_000) }
}

/**
 * Whether a text has the form of a JWT with a signature of 64 bytes, so that `verifyToken` may accept it. The last character of
 * the signature encodes two bits only: with other bits in it, a changed token would be decoded to the same signature.
 */
export const isTokenLike = (text: string): boolean =>
  text.length <= maxTokenLength && /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/.test(text)

/** Verifies signature and times of a token. `undefined` if it is not valid. */
export async function verifyToken(
  token: string,
  publicKeys: readonly JsonWebKey[],
  now: Date,
): Promise<Credential | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const jwk = publicKeys.find((key) => (key as { kid?: string }).kid === kid)
        if (!jwk) throw new Error('unknown key')
        return imported(jwk)
      },
      { algorithms: [algorithm], issuer, currentDate: now, requiredClaims: ['exp', 'iat'] },
    )
    const { kind, sub, scopes, bounds, origins, rpm, iat, exp } = Claims.parse(payload)
    if (iat * 1_000 > now.getTime() + maxClockSkewMs) return undefined
    const limits = { expires: exp * 1_000, ...(origins && { origins }), ...(rpm && { requestsPerMinute: rpm }) }
    return { kind, id: sub, scopes, bounds, ...limits }
  } catch {
    // jose throws one error class for each reason; the caller learns only that the token is not valid.
    return undefined
  }
}

/** Has keys and no promises: a promise belongs to the request that created it, which may be cancelled. */
const importedKeys = new WeakMap<JsonWebKey, CryptoKey | Uint8Array>()

async function imported(jwk: JsonWebKey) {
  const known = importedKeys.get(jwk)
  if (known) return known
  const key = await importJWK(jwk as Parameters<typeof importJWK>[0], algorithm)
  importedKeys.set(jwk, key)
  return key
}
