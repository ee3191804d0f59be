// Schemas of the parameters and replies of the signature API.
import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { harmless } from '#core/http/validation-messages'

const Document = text(255).meta({
  description: 'Code of the signed document, at most 255 characters',
  examples: ['contract'],
})
const Thread = text(255).meta({
  description:
    'Process in which the document is signed, at most 255 characters. The same document can be signed independently in several threads',
  examples: ['order-7'],
})
const Version = harmless(z.int().min(0))

/** Maximum number of characters of signed data. A JSON body of 16 MB cannot have more. */
const maxTextLength = 16_000_000
const maxTags = 100

const Tags = z
  .array(text(255).min(1), {
    error: ({ code, input }) =>
      code === 'invalid_type' && input !== undefined ? 'Must be an array of strings' : undefined,
  })
  .max(maxTags)
  .meta({ examples: [['signed', 'urgent']] })

const distinct = (tags: string[]) => [...new Set(tags)]

/** A string of at most `max` characters. An integer is accepted too, such as the id of a user, and is converted to a string. */
const Word = (max: number) =>
  z
    .union([text(max), z.int()], 'Must be a string or an integer')
    .transform(String)
    .default('')

const Cms = text(maxTextLength).meta({
  description:
    'Signed data: CMS (DER in base64, or PEM) or XML with a signature (as text, or in base64). At most 16,000,000 characters',
})

const Base64 = text(maxTextLength)
  .transform((text, { issues }) => {
    try {
      return Uint8Array.fromBase64(text)
    } catch {
      issues.push({ code: 'custom', input: text, message: 'Must be base64' })
      return z.NEVER
    }
  })
  .meta({ contentEncoding: 'base64' })

const signatureKey = { document: Document, thread: Thread }

export const SignatureOf = z.object(signatureKey)
export type SignatureOf = z.output<typeof SignatureOf>

export const VersionOf = z.object({
  ...signatureKey,
  version: Version.optional().describe(
    'Number of the version. The first version is 1; no version has the number 0, which gets 404. Default: the newest version',
  ),
})
export type VersionOf = z.output<typeof VersionOf>

export const NewSignature = z.object({
  ...signatureKey,
  version: Version.default(0).describe(
    'Number of the newest version that the caller has seen, at least 0. The saved version gets the next number. 0 means that none exists yet. If no version exists, 1 is accepted like 0 and saves version 1, but a retry with 1 then adds version 2',
  ),
  cms: Cms,
  version_created_by: Word(255).describe('Author of this version, at most 255 characters'),
  version_comment: Word(10_000).describe('Comment on this version, at most 10,000 characters'),
  tags: Tags.default([])
    .transform(distinct)
    .describe(
      'Tags of this version: at most 100, of 1 to 255 characters each. `GET /signatures` filters by the tags of the newest version',
    ),
})
export type NewSignature = z.output<typeof NewSignature>

export const SignatureFilter = z.object({
  document: Document.optional().describe('List only signatures of this document'),
  chain: Thread.optional().describe('List only signatures of this thread. Same as `thread`'),
  thread: Thread.optional().describe('List only signatures of this thread'),
  stage: text(255)
    .optional()
    .meta({ description: 'List only signatures whose newest version has this number, from `1`', examples: ['2'] }),
  tags: Tags.default([]).describe(
    'List only signatures whose newest version has at least one of these tags. Without tags, or with an empty array, tags are ignored',
  ),
  count,
  ...paging(),
})
export type SignatureFilter = z.output<typeof SignatureFilter>

export const VersionsListing = SignatureOf.extend({ count, ...paging() })
export type VersionsListing = z.output<typeof VersionsListing>

export const Verified = z
  .object({
    document: Document.optional().describe(
      'Code of the document of a stored signature. Required with `thread`, unless `cms` is given',
    ),
    thread: Thread.optional().describe('Thread of a stored signature. Required with `document`, unless `cms` is given'),
    version: Version.optional().describe(
      'Number of the stored version. The first version is 1; 0 gets 404. Default: the newest version',
    ),
    cms: Cms.optional().describe(
      'Signed data that is not stored: CMS (DER in base64, or PEM) or XML (as text, or in base64), at most 16,000,000 characters. Not with `document`, `thread` or `version`',
    ),
    content: Base64.optional().describe(
      'Signed content in base64, for a detached signature, whose verification is 400 without it; at most 16,000,000 characters',
    ),
  })
  .superRefine(({ document, thread, version, cms }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (cms !== undefined && (document ?? thread) !== undefined)
      refuse('cms', 'Must not be given together with document and thread')
    if (cms !== undefined && version !== undefined) refuse('version', 'Must not be given together with cms')
    if (cms !== undefined) return
    if (!document) refuse('document', 'Is required unless cms is given')
    if (!thread) refuse('thread', 'Is required unless cms is given')
  })
export type Verified = z.output<typeof Verified>

const format = z.enum(['cms', 'xml'])
export type SignatureFormat = z.output<typeof format>

const signer = {
  subject: z
    .string()
    .nullable()
    .describe(
      "Subject of the signer's certificate (RFC 4514); null if the signed data has no certificate of the signer",
    ),
  issuer: z.string().nullable().describe("Issuer of the signer's certificate (RFC 4514); null if unknown"),
  serial: z.string().nullable().describe("Serial number of the signer's certificate, in hex; null if unknown"),
  key_id: z
    .string()
    .nullable()
    .describe('Key identifier in hex, if the signed data identifies the signer by it; otherwise null'),
  signed_at: z
    .string()
    .nullable()
    .meta({
      description: 'Signing time that the signer claims, in UTC; null if none is claimed',
      examples: ['2026-01-31 12:00:00'],
    }),
  algorithm: z
    .string()
    .nullable()
    .describe('Signature algorithm, such as `RSA with SHA-256`; its OID or URI if the algorithm has no name here'),
  countersigns: z
    .int()
    .nullable()
    .describe('Index in this list, from 0, of the signer whose signature this signer countersigns; otherwise null'),
}

/** Codec for a value that the reply has as JSON, and that the code keeps as JSON text, as the database stores it. */
const jsonOf = <Wire extends z.ZodType>(wire: Wire) =>
  z.codec(wire, z.string(), {
    decode: (value) => JSON.stringify(value),
    encode: (text) => JSON.parse(text),
  })

const versionFields = {
  version_created_by: z.string().describe('Author of the version'),
  version_created_at: Time.describe('When the version was saved'),
  version_comment: z.string().describe('Comment on the version'),
  tags: jsonOf(z.array(z.string())).describe('Tags of the version'),
  format: format.describe('Format of the signed data'),
  signers: jsonOf(z.array(z.object(signer).describe('A signer'))).describe(
    'Signers as the signed data names them. They are not verified: use `POST /signature/verify`',
  ),
}

const id = z.int().describe('Id of the signature, the same for all its versions')

export const Signature = z
  .object({
    id,
    version: z.int().describe('Number of the version, from 1'),
    document: z.string().describe('Code of the document'),
    thread: z.string().describe('Thread in which the document is signed'),
    signature: z
      .string()
      .describe(
        'The signed data in base64, exactly as saved: the DER of CMS in base64, or the UTF-8 text of PEM or XML',
      ),
    ...versionFields,
    created_at: Time.describe('When the first version was saved'),
    updated_at: Time.describe('When the newest version was saved'),
  })
  .describe('The version of the signature')

export type Signature = z.output<typeof Signature>

export const writeSignature = (signature: Signature): string => JSON.stringify(z.encode(Signature, signature))

export const ListedSignature = Signature.extend({
  chain: z.string().describe('Same as `thread`'),
  stage: z.string().describe('Same as `version`, as a string'),
  parent: z.int().nullable().describe('Number of the previous version; null for version 1'),
}).describe('The newest version of a signature')
export type ListedSignature = z.output<typeof ListedSignature>

export const writeListedSignature = (signature: ListedSignature): string =>
  JSON.stringify(z.encode(ListedSignature, signature))

export const ListedVersion = z
  .object({
    version: z.int().describe('Number of the version, from 1'),
    ...versionFields,
    size: z.int().describe('Size of the signed data in bytes, before base64'),
  })
  .describe('A version without its signed data')

const result = z.enum(['valid', 'invalid', 'unsupported'])

export const Verification = z
  .object({
    format: format.describe('Format of the signed data'),
    result: result.describe(
      '`invalid` if any signer is invalid, else `unsupported` if any signer is unsupported, else `valid`',
    ),
    signers: z
      .array(
        z.object({
          ...signer,
          result: result.describe(
            'Result for this signer. `unsupported` means that the signature cannot be checked here, for example because of its algorithm; the signature may be valid or not',
          ),
          reason: z
            .string()
            .nullable()
            .describe('Why the signature is `invalid`, `unsupported` or `weak`, in one sentence; otherwise null'),
          weak: z.boolean().describe('Whether the signature depends on SHA-1, or on an RSA key of less than 2048 bits'),
          covers: z
            .array(z.string())
            .describe(
              'Parts that are signed: `content` (the content of CMS, or the outside data of XML), `document` (the whole XML document except signatures that are left out), `#id` (the XML element with this Id), `signature` (the value of another signature). Parts that the transforms leave out are not listed',
            ),
        }),
      )
      .describe('Signers in the order of the signed data'),
  })
  .describe('Result of the verification')

export const next_offset = z
  .int()
  .optional()
  .describe(
    '`offset` of the next page. Present only if this page was cut before its `limit` because of its size in bytes',
  )

/** The schema of a reply. All replies of this component have the key `message`, which is always null. */
export const replyOf = <Content extends z.ZodRawShape>(content: Content) => ({
  status: z.literal(true).describe('Always true'),
  message: z.null().describe('Always null'),
  content: z.object(content).describe('Result of the operation'),
})
