import * as z from 'zod'
import { text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { harmless } from '#core/http/validation-messages'
import { filenameOf } from './filename.ts'
import { pageRangesOf } from './page-ranges.ts'

/** Bytes of a request's body, and so of the HTML in it. */
export const mostBytes = 16_000_000

const formats = ['Letter', 'Legal', 'Tabloid', 'Ledger', 'A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6'] as const
type Format = (typeof formats)[number]

const Format = z
  .string()
  .transform((given, { issues }): Format => {
    const format = formats.find((known) => known.toLowerCase() === given.toLowerCase())
    if (format) return format
    issues.push({ code: 'custom', input: given, message: `Must be one of ${formats.join(', ')}` })
    return z.NEVER
  })
  .meta({
    description: `The size of the paper, \`A4\` unless given: ${formats.join(', ')}, in any case. Unless it is given, one that CSS gives by \`@page\` wins`,
    examples: ['A4'],
  })

const notLength = 'Must be 0 or a number with one of the units mm, cm, in, pt, pc and px, such as 10mm'

/** A CSS length, as text with its unit; 0 needs none. At most 9 digits and a unit. */
export const Length = z
  .union([z.string(), z.number()], { error: notLength })
  .transform((given, { issues }): string => {
    const [, digits, unit] = /^(\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})(mm|cm|in|pt|pc|px)?$/i.exec(String(given).trim()) ?? []
    if (digits && unit) return `${Number(digits)}${unit.toLowerCase()}`
    if (Number(digits) === 0) return '0px'
    issues.push({ code: 'custom', input: given, message: notLength })
    return z.NEVER
  })
  .meta({ type: 'string', examples: ['10mm'] })

const selector = 'selector:'
const events = ['load', 'domcontentloaded', 'networkidle']

const WaitFor = text(1_000)
  .refine(
    (given) => events.includes(given) || (given.startsWith(selector) && given.slice(selector.length).trim() !== ''),
    `Must be one of ${events.join(', ')}, or ${selector} followed by a CSS selector`,
  )
  .meta({
    description:
      '`load`, `domcontentloaded`, `networkidle` (half a second without a connection), or `selector:` and a CSS selector that has to match',
    examples: ['selector:#ready'],
  })

/** A default that the reply does not have to say: it is said in words. */
const margin = (side: string) =>
  Length.default('10mm').describe(
    `The margin ${side}, 10 mm unless given: a number with \`mm\`, \`cm\`, \`in\`, \`pt\`, \`pc\` or \`px\`, or 0. One that CSS gives by \`@page\` wins`,
  )

const shown =
  'in classes `pageNumber`, `totalPages`, `date`, `title` and `url` it has these; no scripts, nothing from the network'

const Printing = z.object({
  html: text(mostBytes)
    .optional()
    .meta({ description: 'The document; only absolute URLs in it lead anywhere', examples: ['<h1>Hello</h1>'] }),
  html_link: z
    .string()
    .optional()
    .describe('An http or https URL that answers with HTML, after at most 5 redirects; instead of `html`'),
  format: Format.optional(),
  width: Length.optional().describe('With `height`, instead of `format`: lengths as margins have'),
  height: Length.optional().describe('With `width`'),
  landscape: z.boolean().default(false).describe('The longer side lies below'),
  margin_top: margin('at the top'),
  margin_right: margin('on the right'),
  margin_bottom: margin('at the bottom'),
  margin_left: margin('on the left'),
  scale: harmless(z.number().min(0.1).max(2)).default(1).describe('How much larger all of it is'),
  header_html: text(100_000).optional().describe(`HTML in the top margin of every page; ${shown}`),
  footer_html: text(100_000).optional().describe('The same in the bottom margin'),
  print_background: z.boolean().default(true).describe('With background colours and pictures'),
  page_ranges: z
    .string()
    .transform(pageRangesOf)
    .optional()
    .meta({ description: 'Only these pages, all unless given', examples: ['1-3,5'] }),
  wait_for: WaitFor.default('load'),
  media: harmless(z.enum(['print', 'screen']))
    .default('print')
    .describe('Which CSS applies'),
  filename: z
    .string()
    .transform(filenameOf)
    .default('document.pdf')
    .meta({
      description: 'The name under which it is saved; `.pdf` is added where it is missing',
      examples: ['invoice-7.pdf'],
    }),
})

function check({ html, html_link, format, width, height }: z.output<typeof Printing>, { addIssue }: z.RefinementCtx) {
  const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (!html && !html_link) refuse('html', 'Is required unless html_link is given')
  if (html && html_link) refuse('html_link', 'Must not be given together with html')
  if (width && !height) refuse('height', 'Is required if width is given')
  if (height && !width) refuse('width', 'Is required if height is given')
  if (format && width && height) refuse('format', 'Must not be given together with width and height')
}

/** HTML or a link, and how to print it. */
export const PdfRequest = Printing.superRefine(check)
export type PdfRequest = z.output<typeof PdfRequest>

const StoredName = text(255)
  .min(1)
  .meta({ description: 'Name of the stored document, 1 to 255 characters', examples: ['invoice-7'] })

/** The same by POST, which can store the document. */
export const Posted = Printing.extend({
  store: StoredName.optional().describe(
    'Store the PDF under this name, in place of one that has the name, for PDF_STORE_TTL seconds, and answer 201 with `document`. For callers that do not read the reply, such as the queue',
  ),
}).superRefine(check)
export type Posted = z.output<typeof Posted>

export const DocumentOf = z.object({ name: StoredName })

/** A stored document. */
export const StoredDocument = z.object({
  name: z.string(),
  filename: z.string(),
  size: z.int().describe('Bytes'),
  expires_at: Time,
})
export type StoredDocument = z.output<typeof StoredDocument>

/** What the container says of a document that there is none of. */
export const Refused = z.object({ status_code: z.string(), message: z.string().max(1_000) })
export type Refused = z.output<typeof Refused>

export const StoredReply = z.object({ document: StoredDocument })
