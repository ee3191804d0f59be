// Tables of keys, of the keys that sign tokens, of deleted keys, and of the objects with the audit log.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

// Names of tables begin with the component's, because one Postgres database may have the tables of all components.
export const schema = defineSchema(({ table, text, integer, time, unique, index, primaryKey }) => {
  const keys = table(
    'access_keys',
    {
      id: text().primaryKey(),
      name: text().notNull(),
      /** SHA-256 of the secret, in hex. */
      hash: text().notNull(),
      /** SHA-256 of the secret before the last rotation, valid until `previous_until`. */
      previous_hash: text(),
      previous_until: time(),
      /** Secrets before that whose overlap has not ended: JSON array of `{hash, until}`, with Unix times in milliseconds. */
      older_secrets: text(),
      /** JSON array. */
      scopes: text().notNull(),
      /** JSON object. */
      bounds: text().notNull(),
      expires_at: time(),
      requests_per_minute: integer(),
      created_at: time().notNull(),
      last_used_at: time(),
      /** The key that created this one, itself or with a token. Null if `AUTH_TOKENS` did. */
      parent_id: text(),
    },
    ({ name, parent_id }) => [unique('access_keys_name').on(name), index('access_keys_parent').on(parent_id)],
  )
  const signingKeys = table('access_signing_keys', {
    kid: text().primaryKey(),
    /** Private key as JWK. */
    private_key: text().notNull(),
    public_key: text().notNull(),
    created_at: time().notNull(),
  })
  /** Deleted keys whose tokens may not have expired yet. */
  const revoked = table(
    'access_revoked',
    {
      id: text().primaryKey(),
      until: time().notNull(),
    },
    ({ until }) => [index('access_revoked_until').on(until)],
  )
  /** Values that are made once, such as the secret of the check characters in ids. */
  const settings = table('access_settings', { name: text().primaryKey(), value: text().notNull() })
  /** The objects that have the audit log of a component and UTC day. Names of objects cannot be listed. */
  const auditDays = table(
    'access_audit_days',
    {
      date: text().notNull(),
      component: text().notNull(),
      /** Number and hash of a batch that the object must still have: it cannot be replaced by a new log. */
      anchor_seq: integer(),
      anchor_hash: text(),
    },
    ({ date, component }) => [primaryKey({ columns: [date, component] })],
  )
  return { keys, signingKeys, revoked, settings, auditDays }
})

export type AccessStore = StoreOf<typeof schema>

export type KeyRow = AccessStore['keys']['$inferSelect']
