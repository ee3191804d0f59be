// Stands in for the component `access` in tests of other components: one key, its tokens, and what revokes them.
import { exportJWK, generateKeyPair } from 'jose'
import type { AccessService, StoredKey } from '#core/access/access-service'
import { hashSecret, keyOf, newKeyId, newSecret } from '#core/access/key-format'
import { signToken } from '#core/access/tokens'

const idSecret = 'secret of the check characters'

/** A key with these scopes, and the RPC methods of `access` that know it. */
export async function accessWith(scopes: string[]) {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const publicKeys = [{ ...(await exportJWK(publicKey)), kid: 'one' } as JsonWebKey]
  const parts = { id: newKeyId(idSecret), secret: newSecret() }
  const state = {
    /** `undefined`: the key was deleted. */
    key: { id: parts.id, hashes: [{ hash: await hashSecret(parts.secret) }], scopes, bounds: {} } as
      | StoredKey
      | undefined,
    revoked: [] as string[],
    /** Number of calls that read keys and revocations. */
    reads: 0,
  }
  const ACCESS: Partial<AccessService> = {
    readTrust: async () => {
      state.reads++
      return { publicKeys, revoked: [...state.revoked], idSecret }
    },
    findKey: async () => {
      state.reads++
      return state.key
    },
    markUsed: async () => undefined,
  }
  return {
    ACCESS,
    state,
    secret: keyOf(parts),
    /** Issues a token of the key. */
    token: async (lifetimeS = 3_600, rights: { scopes?: string[]; bounds?: Record<string, string> } = {}) => {
      const claims = { kind: 'token' as const, sub: parts.id, scopes, ...rights }
      return (await signToken(claims, lifetimeS, { kid: 'one', privateKey }, new Date())).token
    },
    deleteKey: () => {
      state.key = undefined
      state.revoked.push(parts.id)
    },
    rotateKey: async () => {
      state.key = { ...state.key!, hashes: [{ hash: await hashSecret(newSecret()) }] }
    },
  }
}
