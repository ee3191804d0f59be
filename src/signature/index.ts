import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { errors } from './errors.ts'
import { listVersions, readPage } from './listing.ts'
import { sweepObjects } from './objects.ts'
import { answerPage, answerSignature, done } from './replies.ts'
import { schema } from './schema.ts'
import { deleteRecord, readSignature, saveSignature, verifySignature } from './signatures.ts'

/** What signed data of 10 MB takes in base64, and more. */
const bodyLimit = 16_000_000

export const signature = api<Env, keyof typeof errors>({
  name: 'signature',
  errors,
  title: 'Signature store',
  description: 'Signed data (CMS or XML) of documents, in versions.',
  probes: (env) => ({ database: async () => ping(env), storage: () => env.FILES.head('_health') }),
})
  .get(
    '/signature',
    {
      summary: 'Read a signature',
      params: wire.VersionOf,
      errors: ['signature_not_found'],
      reply: wire.replyOf({ signature: wire.Signature }),
      envelope: 'none',
    },
    async ({ env, params }) => answerSignature(await readSignature(env, params)),
  )

  .post(
    '/signature',
    {
      adds: true,
      summary: 'Save a signature, or its next version',
      description:
        'Of several saves that follow the same version one comes to pass; the others are 409 `version_conflict`, with the newest version in `content.version`.',
      params: wire.NewSignature,
      errors: ['version_conflict'],
      reply: wire.replyOf({ signature: wire.Signature }),
      envelope: 'none',
      status: 201,
      bodyLimit,
    },
    async ({ env, params }) => answerSignature(await saveSignature(env, params), 201),
  )

  .delete(
    '/signature',
    {
      summary: 'Delete a signature with all its versions',
      params: wire.SignatureOf,
      errors: ['signature_not_found'],
    },
    async ({ env, params, ctx }) => {
      await deleteRecord(open(env, schema), params)
      ctx.waitUntil(sweepObjects(env))
    },
  )

  .get(
    '/signatures',
    {
      summary: 'List signatures by their newest versions, the newest record first',
      params: wire.SignatureFilter,
      reply: wire.replyOf({ signatures: z.array(wire.ListedSignature), nb_results, next_offset: wire.next_offset }),
      envelope: 'none',
    },
    async ({ env, params }) => answerPage(await readPage(env, params)),
  )

  .get(
    '/signature/versions',
    {
      summary: 'List the versions of a signature, the newest first',
      params: wire.VersionsListing,
      errors: ['signature_not_found'],
      reply: wire.replyOf({ versions: z.array(wire.ListedVersion), nb_results, next_offset: wire.next_offset }),
      envelope: 'none',
    },
    async ({ env, params }) => done(await listVersions(open(env, schema), params)),
  )

  .post(
    '/signature/verify',
    {
      summary: 'Verify a signature',
      description:
        'Checks digests and signatures by the certificates inside: RSA, ECDSA and EdDSA. Whether these are to be trusted, and whether they had expired, is not checked.',
      params: wire.Verified,
      errors: ['signature_not_found'],
      reply: wire.replyOf({ verification: wire.Verification }),
      envelope: 'none',
      bodyLimit,
    },
    async ({ env, params }) => done({ verification: await verifySignature(env, params) }),
  )
