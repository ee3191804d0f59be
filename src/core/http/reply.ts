import { type Failure, failure } from '#core/failure'
import { prefixOf } from './base.ts'

const type = 'application/json; charset=utf-8'

/** A JSON reply. */
export const reply = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } })

/** Headers of every error with a status. */
const headersByStatus: Partial<Record<Failure['status'], Record<string, string>>> = {
  401: { 'www-authenticate': 'Basic realm="Quartermaster", charset="UTF-8"' },
  413: { connection: 'close' },
}

/** What leads from an error to its explanation. */
export interface Explanation {
  /** The id under which the log has the request. */
  request_id: string
  /** The path of the docs page of the component. */
  docs: string
}

/** An error as the caller sees it; keys that are `undefined` are left out. */
export const refuse = (
  { status, code, message, errors, content, headers }: Failure,
  { request_id, docs }: Explanation,
): Response =>
  reply(
    { status: false, status_code: code, message, errors, content, request_id, docs: `${docs}#error-${code}` },
    status,
    { ...headersByStatus[status], ...headers },
  )

/** What the caller learns of a defect: the id under which the log has it. */
export const internalError = (explanation: Explanation): Response =>
  refuse(
    failure('internal_error', `Something went wrong; the log has it as request ${explanation.request_id}`),
    explanation,
  )

/** How the errors of a component are explained to the caller of a request. */
export const explain = (pagesPrefix: string, request: Request, request_id: string): Explanation => ({
  request_id,
  docs: `${prefixOf(request)}${pagesPrefix}/_docs`,
})
