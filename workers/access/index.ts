// The Worker of keys and tokens: serves their API, and answers the other components by RPC.

import { sweepAudit } from '#access/audit'
import { access } from '#access/index'
import { deleteExpiredRevocations } from '#access/keys'
import { schema } from '#access/schema'
import { serviceOn } from '#access/service'
import { deleteOldSigningKeys } from '#access/signing-keys'
import type { AccessService, AuditBatch } from '#core/access/access-service'
import { open } from '#core/db/open'
import { every } from '#core/http/sweep-schedule'
import { worker } from '#core/http/worker'
import { SqlDatabase } from '#core/objects/sql-database'
import init from '../../migrations/access/d1/0001_init.sql'
import audit from '../../migrations/access/d1/0002_audit.sql'
import parents from '../../migrations/access/d1/0003_key_parents.sql'
import anchors from '../../migrations/access/d1/0004_add_audit_anchors.sql'

export { AuditDay } from '#access/audit-day'
export { KeyLimiter } from '#access/key-limiter'
export { Meter } from '#core/metrics/meter'

/** Nothing that the sweep deletes is in use, so that it may wait. */
const sweepMinutes = 10

const Base = worker<AccessEnv>(
  access,
  // Each statement is a request to the object with the tables.
  every(sweepMinutes, async (env) => {
    const store = open(env, schema)
    await deleteExpiredRevocations(store, new Date())
    await deleteOldSigningKeys(store, new Date())
  }),
  every(sweepMinutes, (env) => sweepAudit(env, new Date())),
)

/** The durable object with the tables, unless they are in Postgres. */
export class AccessDatabase extends SqlDatabase {
  protected override readonly migrations = [init, audit, parents, anchors]
}

/** Each environment with its own service as `ACCESS`, so that the API of `access` accepts keys too. */
const withService = new WeakMap<AccessEnv, AccessEnv & { ACCESS: AccessService }>()

export default class Access extends Base implements AccessService {
  private get own() {
    const own = withService.get(this.env) ?? { ...this.env, ACCESS: serviceOn(this.env) }
    withService.set(this.env, own)
    return own
  }

  override fetch(request: Request) {
    return access.fetch(request, this.own, this.ctx)
  }

  // RPC reaches methods of the class only, not properties.
  async readTrust() {
    return this.own.ACCESS.readTrust()
  }

  async findKey(id: string) {
    return this.own.ACCESS.findKey(id)
  }

  async markUsed(id: string) {
    return this.own.ACCESS.markUsed(id)
  }

  async takeRequests(id: string, perMinute: number, wanted: number) {
    return this.own.ACCESS.takeRequests(id, perMinute, wanted)
  }

  async issueServiceToken(caller: string, target: string) {
    return this.own.ACCESS.issueServiceToken(caller, target)
  }

  async recordAudit(component: string, batch: AuditBatch) {
    return this.own.ACCESS.recordAudit(component, batch)
  }
}
