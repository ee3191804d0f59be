// Endpoints of `access`: keys, tokens for browsers and apps, and the audit log.
import * as z from 'zod'
import type { Credential } from '#core/access/credential'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { listAudit, verifyAudit } from './audit.ts'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { type ErrorCode, errors } from './errors.ts'
import { createKey, deleteKey, listKeys } from './keys.ts'
import { rotateKey } from './rotation.ts'
import { schema } from './schema.ts'
import { checkLimits, issueToken, narrowedBounds } from './tokens.ts'

/** Every endpoint needs credentials, so that the pipeline has set them. */
const callerOf = ({ credential }: { credential?: Credential }): Credential => credential!

export const access = api<Env, ErrorCode>({
  name: 'access',
  errors,
  title: 'Access',
  description: `Keys with scopes for your servers, and short-lived tokens with which browsers and apps call components directly. \
A scope is \`<component>:<level>\`; bounds restrict a credential to values of parameters, such as the records of one recipient. \
\`AUTH_TOKENS\` are root keys, which may do everything.`,
  probes: (env) => ({ database: async () => ping(env) }),
})
  .post(
    '/key',
    {
      level: 'manage',
      adds: true,
      summary: 'Create a key',
      description:
        'The reply has the secret; no later reply shows it. The key may not do more than the caller, outlive it, or have more requests per minute, and it ends with the key of the caller. Components accept it at once.',
      params: wire.NewKey,
      reply: wire.created,
      status: 201,
      errors: ['name_taken', 'too_many_keys', 'wider_than_caller'],
    },
    async ({ env, params, ...call }) => {
      const bounds = narrowedBounds(callerOf(call), params)
      await checkLimits(open(env, schema), callerOf(call), params)
      return createKey(open(env, schema), callerOf(call), { ...params, bounds: { ...bounds } }, new Date())
    },
  )

  .get(
    '/keys',
    {
      level: 'manage',
      summary: 'List keys',
      description:
        'Keys without their secrets, sorted by name. Pass the last name of a page as `after` for the next page. Deleted keys are not listed; expired ones are.',
      params: wire.KeyList,
      reply: { keys: z.array(wire.Key).describe('Keys of the page, sorted by name') },
    },
    async ({ env, params }) => ({ keys: await listKeys(open(env, schema), params) }),
  )

  .post(
    '/key/rotate',
    {
      level: 'manage',
      summary: 'Replace the secret of a key',
      description:
        'The new secret is valid at once. The previous one is valid for `overlap` more seconds, and up to 30 s longer while components have it cached. Earlier secrets are valid until their overlaps end, at most five at a time. Tokens of the key stay valid. The caller needs all scopes of the key.',
      params: wire.Rotation,
      reply: wire.rotated,
      errors: ['key_not_found', 'too_many_secrets', 'wider_than_caller'],
    },
    async ({ env, params, ...call }) => ({
      secret: await rotateKey(open(env, schema), callerOf(call), params, new Date()),
    }),
  )

  .delete(
    '/key',
    {
      level: 'manage',
      summary: 'Delete a key',
      description:
        'Deletes the key and all keys that it created, itself, with its tokens, and through keys that it created. These keys and all tokens that they issued are refused within 30 s.',
      params: wire.KeyOf,
      reply: wire.deletion,
      errors: ['key_not_found'],
    },
    async ({ env, params }) => deleteKey(open(env, schema), params, new Date()),
  )

  .post(
    '/token',
    {
      level: 'any',
      summary: 'Issue a token for a browser or an app',
      description:
        'A JSON Web Token that the holder sends as `Authorization: Bearer`. Each key can issue tokens that allow no more than the key: its bounds are added, and its rate limit counts their requests. A token issues no tokens.',
      params: wire.NewToken,
      reply: wire.issued,
      status: 201,
      errors: ['wider_than_caller', 'forbidden'],
    },
    async ({ env, params, ...call }) => issueToken(open(env, schema), callerOf(call), params, new Date()),
  )

  .get(
    '/audit',
    {
      level: 'manage',
      summary: 'List rows of the audit log',
      description:
        'Rows by day, newest first; within a day by component, and within a component newest first. Pass `next` of a page as `after` until a page has no `next`: a call reads a limited part of the log, so that a page may be short or empty. New rows appear after about a second. `AUDIT` decides which calls have a row.',
      params: wire.AuditList,
      reply: wire.auditPage,
    },
    async ({ env, params }) => listAudit(open(env, schema), env.AUDIT_DAY, params),
  )

  .get(
    '/audit/verify',
    {
      level: 'manage',
      summary: 'Verify the audit log of a day',
      description:
        'Each batch of rows has a hash (SHA-256) of itself and of the batch before it. Computes all hashes of a component and day again, compares them with a batch that was noted in the database, and counts the batches that are missing.',
      params: wire.AuditDayOf,
      reply: wire.verified,
      objectId: 'component',
    },
    async ({ env, params }) => ({ audit: await verifyAudit(open(env, schema), env.AUDIT_DAY, params) }),
  )
