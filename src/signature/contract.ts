import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { harmless } from '#core/http/validation-messages'

const Document = text(255).meta({ description: 'Code of the document', examples: ['contract'] })
const Thread = text(255).meta({
  description: 'Distinguishes the same document signed in different stories',
  examples: ['order-7'],
})
const Version = harmless(z.int().min(0))

/** What a JSON body of 16 MB can hold. */
const mostText = 16_000_000
const mostTags = 100

const Tags = z
  .array(text(255).min(1), {
    error: ({ code, input }) =>
      code === 'invalid_type' && input !== undefined ? 'Must be an array of strings' : undefined,
  })
  .max(mostTags)
  .meta({ examples: [['signed', 'urgent']] })

const distinct = (tags: string[]) => [...new Set(tags)]

/** A string, or an integer that stands for its digits. */
const Word = (max: number) =>
  z
    .union([text(max), z.int()], 'Must be a string or an integer')
    .transform(String)
    .default('')

const Cms = text(mostText).meta({
  description: 'CMS as base64 of DER, or as PEM; or XML with a signature, or its base64',
})

const Base64 = text(mostText)
  .transform((given, { issues }) => {
    try {
      return Uint8Array.fromBase64(given)
    } catch {
      issues.push({ code: 'custom', input: given, message: 'Must be base64' })
      return z.NEVER
    }
  })
  .meta({ contentEncoding: 'base64' })

const one = { document: Document, thread: Thread }

export const SignatureOf = z.object(one)
export type SignatureOf = z.output<typeof SignatureOf>

export const VersionOf = z.object({ ...one, version: Version.optional().describe('The newest unless given') })
export type VersionOf = z.output<typeof VersionOf>

export const NewSignature = z.object({
  ...one,
  version: Version.default(0).describe('Newest version that the caller has seen. 0 or 1 for a new signature.'),
  cms: Cms,
  version_created_by: Word(255).describe('Author of this version'),
  version_comment: Word(10_000),
  tags: Tags.default([]).transform(distinct).describe('Of this version; the newest one is listed by them'),
})
export type NewSignature = z.output<typeof NewSignature>

export const SignatureFilter = z.object({
  document: Document.optional(),
  chain: Thread.optional().describe('The thread'),
  thread: Thread.optional().describe('The same as `chain`'),
  stage: text(255)
    .optional()
    .meta({ description: 'The newest version', examples: ['2'] }),
  tags: Tags.default([]).describe('Has any of these; an empty array: whatever its tags'),
  count,
  ...paging(),
})
export type SignatureFilter = z.output<typeof SignatureFilter>

export const VersionsListing = SignatureOf.extend({ count, ...paging() })
export type VersionsListing = z.output<typeof VersionsListing>

export const Verified = z
  .object({
    document: Document.optional().describe('Of a stored signature, with `thread`'),
    thread: Thread.optional(),
    version: Version.optional().describe('The newest unless given'),
    cms: Cms.optional().describe('A signature that is not stored'),
    content: Base64.optional().describe('Base64 of what was signed, for a detached signature'),
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
  subject: z.string().nullable().describe('Of the certificate, as RFC 4514 writes it; null where it has none inside'),
  issuer: z.string().nullable().describe('Issuer of the certificate'),
  serial: z.string().nullable().describe('Of the certificate, in hex'),
  key_id: z.string().nullable().describe('The identifier of the key in hex, where nothing else names the signer'),
  signed_at: z
    .string()
    .nullable()
    .meta({ description: 'The time that the signer claims, in UTC', examples: ['2026-01-31 12:00:00'] }),
  algorithm: z.string().nullable(),
  countersigns: z
    .int()
    .nullable()
    .describe('The place in this list, from 0, of the signer whose signature this one signs'),
}

/** JSON text in the code. */
const jsonOf = <Wire extends z.ZodType>(wire: Wire) =>
  z.codec(wire, z.string(), {
    decode: (value) => JSON.stringify(value),
    encode: (text) => JSON.parse(text),
  })

const made = {
  version_created_by: z.string(),
  version_created_at: Time,
  version_comment: z.string(),
  tags: jsonOf(z.array(z.string())),
  format,
  signers: jsonOf(z.array(z.object(signer))),
}

const id = z.int().describe('Identity of the record')

export const Signature = z.object({
  id,
  version: z.int(),
  document: z.string(),
  thread: z.string(),
  signature: z.string().describe('Base64 of exactly the bytes that were given'),
  ...made,
  created_at: Time.describe('Of the first version'),
  updated_at: Time.describe('Of the newest version'),
})

export type Signature = z.output<typeof Signature>

export const writeSignature = (signature: Signature): string => JSON.stringify(z.encode(Signature, signature))

export const ListedSignature = Signature.extend({
  chain: z.string().describe('The thread'),
  stage: z.string().describe('The version'),
  parent: z.int().nullable().describe('The version before this one'),
})
export type ListedSignature = z.output<typeof ListedSignature>

export const writeListedSignature = (signature: ListedSignature): string =>
  JSON.stringify(z.encode(ListedSignature, signature))

export const ListedVersion = z.object({
  version: z.int(),
  ...made,
  size: z.int().describe('Bytes of the signed data'),
})

const result = z
  .enum(['valid', 'invalid', 'unsupported'])
  .describe('`unsupported`: by an algorithm that is not known here, which says nothing of its worth')

export const Verification = z.object({
  format,
  result,
  signers: z.array(
    z.object({
      ...signer,
      result,
      reason: z.string().nullable().describe('Why it is not valid'),
      weak: z.boolean().describe('It rests on SHA-1, or on an RSA key of less than 2048 bits'),
      covers: z
        .array(z.string())
        .describe(
          'What is signed: `content`, `document` (all of the XML but signatures that are left out), `#id` (an element of it), `signature` (the value of another signature). Parts that the transforms leave out are not listed',
        ),
    }),
  ),
})

export const next_offset = z.int().optional().describe('Where to go on, if the page ended early for its size')

/** A reply with `message`, which is always null. */
export const replyOf = <Content extends z.ZodRawShape>(content: Content) => ({
  status: z.literal(true),
  message: z.null(),
  content: z.object(content),
})
