// Tests that forged and changed keys and tokens are refused: 100,000 tokens, and 20,000 keys, in the full tier.
import { generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import type { AccessService, StoredKey, Trust } from '#core/access/access-service'
import { authenticate } from '#core/access/authenticate'
import { Failure } from '#core/failure'
import { databases } from '../support/databases.ts'
import { isFull } from '../support/tier.ts'
import { startBoth } from './support.ts'

const counts = isFull ? { keys: 20_000, tokens: 100_000 } : { keys: 1_000, tokens: 1_000 }

const { service, send, createKey, fetchShop } = startBoth(databases[0]!)

const { key, secret } = await createKey({ name: 'genuine', scopes: ['*'] })
const issued = await send('POST', '/token', { scopes: ['*'] }, { authorization: `Bearer ${secret}` })
const { token } = issued.json.content as unknown as { token: string }

/** Knows the genuine key under every id, so that only the secret decides. */
const trust: Trust = await service.readTrust()
const stored = (await service.findKey(key.id)) as StoredKey
const ACCESS: Partial<AccessService> = {
  readTrust: async () => trust,
  findKey: async () => stored,
  markUsed: async () => undefined,
}
/** Without `AUTH_TOKENS`, since their comparison takes as long as the verification of a token. */
const env = { ACCESS: ACCESS as AccessService }

const kindOf = async (bearer: string): Promise<string> => {
  try {
    const request = new Request('http://feed.test/', { headers: { authorization: `Bearer ${bearer}` } })
    return (await authenticate(env, request)).kind
  } catch (error) {
    if (Failure.is(error) && error.status === 401) return 'refused'
    throw error
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const randomOf = (n: number) => Math.floor(Math.random() * n)
const characters = (n: number, of = alphabet) => Array.from({ length: n }, () => of[randomOf(of.length)]).join('')
const hex = (n: number) => characters(n, '0123456789abcdef')

/** The text with one character changed, removed, added or doubled, or with two swapped. */
function mutated(text: string): string {
  const at = randomOf(text.length)
  const other = characters(1)
  const results = [
    text.slice(0, at) + other + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + other + text.slice(at),
    text.slice(0, at) + text[at] + text.slice(at),
    text.slice(0, at) + (text[at + 1] ?? '') + text[at] + text.slice(at + 2),
    text.slice(0, at),
    text + other,
  ]
  return results[randomOf(results.length)]!
}

/** Accepted texts other than the genuine one. */
async function acceptedOf(genuine: string, count: number, forge: () => string): Promise<string[]> {
  const accepted: string[] = []
  for (let n = 0; n < count; n += 500) {
    const batch = Array.from({ length: 500 }, forge).filter((text) => text !== genuine && text !== '')
    const kinds = await Promise.all(batch.map(kindOf))
    accepted.push(...batch.filter((_, i) => kinds[i] !== 'refused'))
  }
  return accepted
}

afterEach(() => {
  vi.restoreAllMocks()
})

it('accepts the genuine ones', async () => {
  expect([await kindOf(secret), await kindOf(token)]).toEqual(['key', 'token'])
})

it('accepts no forged or changed key', async () => {
  const forge = [
    () => mutated(secret),
    () => mutated(mutated(secret)),
    () => `qm_${key.id}_${characters(43)}`,
    () => `qm_${hex(24)}_${secret.slice(-43)}`,
    () => `qm_${key.id.slice(0, 16)}${hex(8)}_${characters(43)}`,
  ]
  // A changed id that passes its check characters has a probability of 2^-32.
  expect(await acceptedOf(secret, counts.keys, () => forge[randomOf(forge.length)]!())).toEqual([])
}, 60_000)

it('accepts no forged or changed token', async () => {
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const encoded = (value: object) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: 'base64url', omitPadding: true })
  const decoded = <T>(part: string) =>
    JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(part, { alphabet: 'base64url' }))) as T
  const claims = decoded<Record<string, unknown>>(payload)
  const protectedHeader = decoded<{ kid: string }>(header)
  const { privateKey } = await generateKeyPair('EdDSA')
  const foreign = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: protectedHeader.kid })
    .sign(privateKey)
  const forge = [
    () => mutated(token),
    () => mutated(mutated(token)),
    () => mutated(foreign),
    () => `${header}.${payload}.${characters(85)}A`,
    // Each equivalent encoding of the last character of the signature.
    () => `${header}.${payload}.${signature.slice(0, -1)}${characters(1)}`,
    () => `${header}.${encoded({ ...claims, exp: (claims.exp as number) + 1 + randomOf(1e6) })}.${signature}`,
    () => `${header}.${encoded({ ...claims, sub: hex(24) })}.${signature}`,
    () => `${header}.${encoded({ ...claims, kind: 'service' })}.${signature}`,
    () =>
      `${encoded({ ...protectedHeader, alg: ['none', 'HS256', 'ES256', 'Ed25519'][randomOf(4)] })}.${payload}.${signature}`,
    () => `${encoded({ ...protectedHeader, jwk: trust.publicKeys[0], kid: hex(8) })}.${payload}.${signature}`,
  ]
  expect(await acceptedOf(token, counts.tokens, () => forge[randomOf(forge.length)]!())).toEqual([])
}, 60_000)

it('accepts tokens in the query of declared operations only, and no keys, and logs neither', async () => {
  const printed = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  const statusOf = async (path: string) => (await fetchShop(path)).status
  expect(await statusOf(`/file?token=${token}`)).toBe(200)
  expect(await statusOf(`/read?token=${token}`)).toBe(401)
  expect(await statusOf(`/missing?token=${token}`)).toBe(404)
  expect(await statusOf(`/file?token=${secret}`)).toBe(401)
  expect(await statusOf('/file?token=root')).toBe(401)
  const lines = printed.flatMap(({ mock }) => mock.calls.flat().map(String))
  expect(lines.length).toBeGreaterThan(4)
  expect(lines.filter((line) => line.includes(token) || line.includes(secret) || line.includes('token='))).toEqual([])
})
