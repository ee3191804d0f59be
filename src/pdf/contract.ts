// Schemas of the parameters and replies of the PDF API, and of the error replies of the Chromium container.
import * as z from 'zod'
import { text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { harmless } from '#core/http/validation-messages'
import { filenameOf } from './filename.ts'
import { pageRangesOf } from './page-ranges.ts'

/** Maximum size of a request body, and so of the HTML in it. */
export const maxBodyBytes = 16_000_000

const formats = ['Letter', 'Legal', 'Tabloid', 'Ledger', 'A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6'] as const
type Format = (typeof formats)[number]

// Examples are set on the schemas of the input, since Zod leaves out the examples of a schema with a transform.
const Format = z
  .string()
  .meta({ examples: ['A4'] })
  .transform((input, { issues }): Format => {
    const format = formats.find((known) => known.toLowerCase() === input.toLowerCase())
    if (format) return format
    issues.push({ code: 'custom', input, message: `Must be one of ${formats.join(', ')}` })
    return z.NEVER
  })
  .describe(
    `Paper size, by default \`A4\`: ${formats.join(', ')}, in upper or lower case. Without \`format\`, a size in the CSS (\`@page { size: … }\`) is used`,
  )

const lengthMessage = 'Must be 0, or a number with one of the units mm, cm, in, pt, pc and px, such as 10mm'

/** A CSS length as a string with its unit; 0 needs no unit. */
export const Length = z
  .union([z.string(), z.number()], { error: lengthMessage })
  .meta({ examples: ['10mm'] })
  .transform((input, { issues }): string => {
    const [, digits, unit] = /^(\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})(mm|cm|in|pt|pc|px)?$/i.exec(String(input).trim()) ?? []
    if (digits && unit) return `${Number(digits)}${unit.toLowerCase()}`
    if (Number(digits) === 0) return '0px'
    issues.push({ code: 'custom', input, message: lengthMessage })
    return z.NEVER
  })
  .meta({ type: 'string' })

const selector = 'selector:'
const events = ['load', 'domcontentloaded', 'networkidle']

const WaitFor = text(1_000)
  .refine(
    (value) => events.includes(value) || (value.startsWith(selector) && value.slice(selector.length).trim() !== ''),
    `Must be one of ${events.join(', ')}, or ${selector} followed by a CSS selector`,
  )
  .meta({
    description:
      'Event that starts printing, by default `load`: `load` (images, styles and scripts are loaded), `domcontentloaded`, `networkidle` (no connection for 0.5 s), or `selector:` followed by a CSS selector (an element matches)',
    examples: ['selector:#ready'],
  })

const margin = (side: string) =>
  Length.default('10mm').describe(
    `The ${side} margin, by default \`10mm\`: 0, or a text with a number and the unit \`mm\`, \`cm\`, \`in\`, \`pt\`, \`pc\` or \`px\`. A margin in the CSS (\`@page { margin: … }\`) overrides it`,
  )

const marginHtml =
  'up to 100 000 characters. Elements of the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Scripts do not run, and nothing is loaded: embed images and fonts as `data:` URLs. The margin must be large enough'

const PrintParameters = z.object({
  html: text(maxBodyBytes)
    .optional()
    .meta({
      description: 'The HTML to print. Only absolute URLs work in it. Give either `html` or `html_link`',
      examples: ['<h1>Hello</h1>'],
    }),
  html_link: z
    .string()
    .optional()
    .describe(
      'URL of the page to print (http or https). It must return 2xx and HTML, after at most 5 redirects. Give either `html` or `html_link`',
    ),
  format: Format.optional(),
  width: Length.optional().describe(
    'Paper width, instead of `format`: a length like a margin, such as `100mm`. Requires `height`',
  ),
  height: Length.optional().describe(
    'Paper height, instead of `format`: a length like a margin, such as `150mm`. Requires `width`',
  ),
  landscape: z.boolean().default(false).describe('Print in landscape, by default false'),
  margin_top: margin('top'),
  margin_right: margin('right'),
  margin_bottom: margin('bottom'),
  margin_left: margin('left'),
  scale: harmless(z.number().min(0.1).max(2))
    .default(1)
    .describe('Scale factor of the page content, 0.1 to 2, by default 1'),
  header_html: text(100_000).optional().describe(`HTML for the top margin of every page, ${marginHtml}`),
  footer_html: text(100_000).optional().describe(`HTML for the bottom margin of every page, ${marginHtml}`),
  print_background: z.boolean().default(true).describe('Print background colours and images, by default true'),
  page_ranges: z
    .string()
    .meta({ examples: ['1-3,5'] })
    .transform(pageRangesOf)
    .optional()
    .describe(
      'Pages to print, by default all: up to 100 page numbers and ranges, separated by commas, such as `1-3,5`',
    ),
  wait_for: WaitFor.default('load'),
  media: harmless(z.enum(['print', 'screen']))
    .default('print')
    .describe('CSS media type, `print` or `screen`, by default `print`'),
  filename: z
    .string()
    .meta({ examples: ['invoice-7.pdf'] })
    .transform(filenameOf)
    .default('document.pdf')
    .describe(
      'File name in the `Content-Disposition` header, up to 255 characters, by default `document.pdf`. `.pdf` is added if it is missing',
    ),
})

function check(
  { html, html_link, format, width, height }: z.output<typeof PrintParameters>,
  { addIssue }: z.RefinementCtx,
) {
  const addError = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (!html && !html_link) addError('html', 'Is required unless html_link is given')
  if (html && html_link) addError('html_link', 'Must not be given together with html: give one of them')
  if (width && !height) addError('height', 'Is required if width is given')
  if (height && !width) addError('width', 'Is required if height is given')
  if (format && width && height)
    addError('format', 'Must not be given together with width and height: give the format or both lengths')
}

/** Parameters of GET /pdf: HTML or a link, and the print options. */
export const PdfRequest = PrintParameters.superRefine(check)
export type PdfRequest = z.output<typeof PdfRequest>

const StoredName = text(255)
  .min(1)
  .meta({ description: 'Name of the stored document, 1 to 255 characters', examples: ['invoice-7'] })

/** Parameters of POST /pdf, which can also store the document. */
export const PostRequest = PrintParameters.extend({
  store: StoredName.optional().describe(
    'Name to store the PDF under, 1 to 255 characters. A document with this name is replaced. The document expires after PDF_STORE_TTL seconds (by default a week), and the reply is 201 with `document`',
  ),
}).superRefine(check)
export type PostRequest = z.output<typeof PostRequest>

export const DocumentByName = z.object({ name: StoredName })

/** A stored document. */
export const StoredDocument = z.object({
  name: z.string().describe('Name of the stored document'),
  filename: z.string().describe('File name in the `Content-Disposition` header of a download'),
  size: z.int().describe('Size of the PDF in bytes'),
  expires_at: Time.describe('Time when the document is deleted, in UTC'),
})
export type StoredDocument = z.output<typeof StoredDocument>

/** Error reply of the Chromium container. */
export const ContainerError = z.object({ status_code: z.string(), message: z.string().max(1_000) })
export type ContainerError = z.output<typeof ContainerError>

export const StoredReply = z.object({ document: StoredDocument.describe('The stored document') })
