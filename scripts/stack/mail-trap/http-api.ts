// HTTP API of the mail trap, from which the email component reads stored emails.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import PostalMime, { type Address } from 'postal-mime'
import type { CaughtMail, MailStore } from './mail-store.ts'

/** Total size of the emails after which a page ends, in bytes. */
const pageBytes = 8_000_000

/**
 * The HTTP API of the trap, for requests with the token: `GET /messages`, `GET /messages/<id>`, `GET /messages/<id>/raw`,
 * `DELETE /messages`. With `recipient`, a list or a deletion is limited to the emails to this address.
 */
export function httpApiOf(mailStore: MailStore, token: string) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const answer = isAllowed(request, token) ? await answerTo(mailStore, request) : { status: 401 }
    const { status = 200, type = 'application/json', body = '' } = answer
    response.writeHead(status, { 'content-type': type }).end(body)
  }
}

interface Answer {
  status?: number
  type?: string
  body?: string | Buffer
}

const missing: Answer = { status: 404 }

async function answerTo(mailStore: MailStore, { method, url }: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(url!, 'http://trap')
  const [, name, id, raw] = pathname.split('/')
  if (name !== 'messages') return missing
  if (method === 'DELETE') return { body: JSON.stringify({ deleted: mailStore.deleteWhere(isTo(searchParams)) }) }
  if (!id) return { body: JSON.stringify(await page(mailStore, searchParams)) }
  const caught = mailStore.find(id)
  if (!caught) return missing
  if (raw) return { type: 'message/rfc822', body: await mailStore.read(caught) }
  return { body: JSON.stringify({ message: await describe(mailStore, caught) }) }
}

async function page(mailStore: MailStore, query: URLSearchParams) {
  const [to, subject] = ['to', 'subject'].map((name) => (query.get(name) ?? '').toLowerCase()) as [string, string]
  const found = mailStore.caught.filter(
    (mail) =>
      isTo(query)(mail) &&
      mail.subject.toLowerCase().includes(subject) &&
      mail.envelope.to.some((address) => address.toLowerCase().includes(to)),
  )
  const offset = Number(query.get('offset'))
  const messages: object[] = []
  let bytes = 0
  const page = found.slice(offset, offset + Number(query.get('limit')))
  for (const caught of page) {
    if (messages.length > 0 && bytes + caught.size > pageBytes) break
    bytes += caught.size
    messages.push(await describe(mailStore, caught))
  }
  return { messages, nb_results: found.length, ...(messages.length < page.length && { has_more: true }) }
}

/** Whether an email is to exactly the address `recipient`, if the query has one. */
const isTo =
  (query: URLSearchParams) =>
  ({ envelope }: CaughtMail): boolean => {
    const recipient = query.get('recipient')?.toLowerCase()
    return recipient === undefined || envelope.to.some((address) => address.toLowerCase() === recipient)
  }

/** An email in the format of the component's API. */
async function describe(mailStore: MailStore, caught: CaughtMail) {
  const { from, to = [], cc = [], ...mail } = await PostalMime.parse(await mailStore.read(caught))
  return {
    ...{ id: caught.id, from: written(from), to: to.map(written), cc: cc.map(written), subject: caught.subject },
    ...{ text: mail.text ?? '', html: mail.html ?? null, envelope: caught.envelope, size: caught.size },
    headers: Object.fromEntries(mail.headers.toReversed().map(({ key, value }) => [key, value])),
    attachments: mail.attachments.map(({ filename, mimeType, content, contentId }) => ({
      ...{ filename, content_type: mimeType, size: bytesIn(content) },
      cid: contentId?.replace(/^<|>$/g, '') ?? null,
    })),
    created_at: new Date(caught.at).toISOString(),
  }
}

const bytesIn = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength

const written = (address: Address | undefined) =>
  !address ? '' : address.name ? `${address.name} <${address.address ?? ''}>` : (address.address ?? '')

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const actual = Buffer.from(headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
