// What `access` answers to the other components, and to itself when it checks callers of `/access/…`.
import type { AccessService } from '#core/access/access-service'
import { open } from '#core/db/open'
import { storeBatch } from './audit.ts'
import type { Env } from './bindings.ts'
import { findKey, markUsed, readRevoked } from './keys.ts'
import { schema } from './schema.ts'
import { readIdSecret } from './settings.ts'
import { readPublicKeys } from './signing-keys.ts'
import { issueServiceToken } from './tokens.ts'

/** The RPC methods on the tables and objects of an environment. */
export function serviceOn(env: Env): AccessService {
  const store = () => open(env, schema)
  const auditAnchors = new Map<string, number>()
  return {
    async readTrust() {
      const [publicKeys, revoked, idSecret] = await Promise.all([
        readPublicKeys(store(), new Date()),
        readRevoked(store(), new Date()),
        readIdSecret(store()),
      ])
      return { publicKeys, revoked, idSecret }
    },
    findKey: (id) => findKey(store(), id),
    markUsed: (id) => markUsed(store(), id, new Date()),
    takeRequests: async (id, perMinute, wanted) => env.KEY_LIMITER.getByName(id).take(perMinute, wanted),
    issueServiceToken: (caller, target) => issueServiceToken(store(), caller, target, new Date()),
    recordAudit: (component, batch) => storeBatch(store(), env.AUDIT_DAY, auditAnchors, component, batch),
  }
}
