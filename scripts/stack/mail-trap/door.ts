import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import PostalMime, { type Address } from 'postal-mime'
import type { CaughtMail, Mailbag } from './mailbag.ts'

/** Bytes of mails on one page, past which it ends. */
const pageBytes = 8_000_000

/** Answers who has the token: `GET /messages`, `GET /messages/<id>`, `GET /messages/<id>/raw`, `DELETE /messages`. */
export function doorOf(mailbag: Mailbag, token: string) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const answer = isAllowed(request, token) ? await answerTo(mailbag, request) : { status: 401 }
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

async function answerTo(mailbag: Mailbag, { method, url }: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(url!, 'http://trap')
  const [, name, id, raw] = pathname.split('/')
  if (name !== 'messages') return missing
  if (method === 'DELETE') {
    mailbag.clear()
    return { status: 204 }
  }
  if (!id) return { body: JSON.stringify(await page(mailbag, searchParams)) }
  const caught = mailbag.find(id)
  if (!caught) return missing
  if (raw) return { type: 'message/rfc822', body: await mailbag.read(caught) }
  return { body: JSON.stringify({ message: await describe(mailbag, caught) }) }
}

async function page(mailbag: Mailbag, query: URLSearchParams) {
  const [to, subject] = ['to', 'subject'].map((name) => (query.get(name) ?? '').toLowerCase()) as [string, string]
  const found = mailbag.caught.filter(
    (mail) =>
      mail.subject.toLowerCase().includes(subject) &&
      mail.envelope.to.some((address) => address.toLowerCase().includes(to)),
  )
  const offset = Number(query.get('offset'))
  const messages: object[] = []
  let bytes = 0
  const wanted = found.slice(offset, offset + Number(query.get('limit')))
  for (const caught of wanted) {
    if (messages.length > 0 && bytes + caught.size > pageBytes) break
    bytes += caught.size
    messages.push(await describe(mailbag, caught))
  }
  return { messages, nb_results: found.length, ...(messages.length < wanted.length && { has_more: true }) }
}

/** A mail as the component shows it. */
async function describe(mailbag: Mailbag, caught: CaughtMail) {
  const { from, to = [], cc = [], ...mail } = await PostalMime.parse(await mailbag.read(caught))
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
  const given = Buffer.from(headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
