// Declares the endpoints of the signature store, with their API texts. contract.ts has their schemas.
import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { errors } from './errors.ts'
import { listVersions, readPage } from './lists.ts'
import { sweepObjects } from './r2-objects.ts'
import { answerPage, answerSignature, success } from './replies.ts'
import { schema } from './schema.ts'
import { deleteRecord, readSignature, saveSignature, verifySignature } from './signatures.ts'

/** Maximum size of a request body in bytes. In base64, that is about 12 MB of signed data. */
const maxBodyBytes = 16_000_000

export const signature = api<Env, keyof typeof errors>({
  name: 'signature',
  errors,
  title: 'Signature store',
  description: `Stores signatures of documents (CMS or XML) in versions, and verifies them. A signature is identified by \`document\` and \
\`thread\`. Each save adds a version and names the version that it follows (optimistic locking). Signed data is stored \
unchanged. A request body has at most 16 MB, which is about 12 MB of signed data in base64. Saving does not verify the signature.`,
  probes: (env) => ({ database: async () => ping(env), storage: () => env.FILES.head('_health') }),
})
  .get(
    '/signature',
    {
      level: 'read',
      summary: 'Read a signature',
      description:
        'Returns one version of a signature with its signed data: the newest version, or the one with the number `version`. 404 `signature_not_found` if no such signature or version is stored.',
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
      level: 'write',
      adds: true,
      summary: 'Save a version of a signature',
      description: `Creates a signature, or adds a version to it. \`version\` is the number of the newest version that the caller has seen: 0 \
(the minimum and the default) for a new signature, 3 to save version 4. If it is not the newest version, nothing is stored and the reply \
is 409 \`version_conflict\`, with the number of the newest version in \`content.version\` (0 if there is none). Of several saves that \
follow the same version, one succeeds. Signed data that cannot be parsed gets 400 \`validation_failed\`; the signature itself is not verified. The \
reply has the saved version.`,
      params: wire.NewSignature,
      errors: ['version_conflict'],
      reply: wire.replyOf({ signature: wire.Signature }),
      envelope: 'none',
      status: 201,
      bodyLimit: maxBodyBytes,
    },
    async ({ env, params }) => answerSignature(await saveSignature(env, params), 201),
  )

  .delete(
    '/signature',
    {
      level: 'write',
      summary: 'Delete a signature',
      description:
        'Deletes a signature with all its versions and tags. This cannot be undone. 404 `signature_not_found` if no such signature is stored.',
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
      level: 'read',
      summary: 'List signatures',
      description: `Returns the newest version of each signature that matches all filters, in descending order of \`id\`. A page ends \
early at 32 MB; the reply then has \`next_offset\`. If nothing matches, the list is empty.`,
      params: wire.SignatureFilter,
      reply: wire.replyOf({
        signatures: z.array(wire.ListedSignature).describe('Newest versions, in descending order of `id`'),
        nb_results,
        next_offset: wire.next_offset,
      }),
      envelope: 'none',
    },
    async ({ env, params }) => answerPage(await readPage(env, params)),
  )

  .get(
    '/signature/versions',
    {
      level: 'read',
      summary: 'List the versions of a signature',
      description: `Returns the versions of one signature without the signed data, the newest first. A page ends early at 8 MB; the reply \
then has \`next_offset\`.`,
      params: wire.VersionsListing,
      errors: ['signature_not_found'],
      reply: wire.replyOf({
        versions: z.array(wire.ListedVersion).describe('Versions, the newest first'),
        nb_results,
        next_offset: wire.next_offset,
      }),
      envelope: 'none',
    },
    async ({ env, params }) => success(await listVersions(open(env, schema), params)),
  )

  .post(
    '/signature/verify',
    {
      level: 'read',
      summary: 'Verify a signature',
      description: `Verifies a stored signature (\`document\`, \`thread\` and optionally \`version\`) or the signed data in \`cms\`. Checks \
all digests and signature values (RSA, ECDSA and Ed25519) with the certificates or keys in the signed data. Does not check whether a \
certificate is trusted, expired or revoked. A signature that is not valid still gets 200: the outcome is in \`verification.result\`. A \
detached signature needs \`content\`, else the reply is 400 \`validation_failed\`. 404 \`signature_not_found\` if no such signature or \
version is stored. Nothing is changed.`,
      params: wire.Verified,
      errors: ['signature_not_found'],
      reply: wire.replyOf({ verification: wire.Verification }),
      envelope: 'none',
      bodyLimit: maxBodyBytes,
    },
    async ({ env, params }) => success({ verification: await verifySignature(env, params) }),
  )
