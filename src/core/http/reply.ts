// Makes JSON responses in the format of the API, for successes and errors.
import { type Failure, failure } from '#core/failure'
import { prefixOf } from './base.ts'

const type = 'application/json; charset=utf-8'

/** Makes a JSON response. */
export const reply = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } })

/** Headers that all errors with a status get. */
const headersByStatus: Partial<Record<Failure['status'], Record<string, string>>> = {
  // Replies to requests get a more exact challenge: see `challengeOf`.
  401: { 'www-authenticate': 'Bearer realm="Quartermaster"' },
  413: { connection: 'close' },
}

/** The fields of an error reply that help to find its cause. */
export interface Explanation {
  /** Id of the request, which the log lines of the request have too. */
  request_id: string
  /** Path of the component's docs page. */
  docs: string
}

/** Makes the response of an error. */
export const refuse = (
  { status, code, message, errors, content, headers }: Failure,
  { request_id, docs }: Explanation,
): Response =>
  reply(
    { status: false, status_code: code, message, errors, content, request_id, docs: `${docs}#error-${code}` },
    status,
    { ...headersByStatus[status], ...headers },
  )

/** The response to a request that failed with a bug. Details are in the log, under the id of the request. */
export const internalError = (explanation: Explanation): Response =>
  refuse(
    failure(
      'internal_error',
      `The request failed unexpectedly. The log has the details of request ${explanation.request_id}.`,
    ),
    explanation,
  )

/** The `request_id` and `docs` of errors of a request. */
export const explain = (pagesPrefix: string, request: Request, request_id: string): Explanation => ({
  request_id,
  docs: `${prefixOf(request)}${pagesPrefix}/_docs`,
})
