import type { Failure } from '#core/failure'

const type = 'application/json; charset=utf-8'

/** A JSON reply. */
export const reply = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } })

/** Headers of every error with a status. */
const headersByStatus: Partial<Record<Failure['status'], Record<string, string>>> = {
  401: { 'www-authenticate': 'Basic realm="Quartermaster", charset="UTF-8"' },
  413: { connection: 'close' },
}

/** A refusal as the caller sees it; keys that are `undefined` are left out. */
export const refuse = ({ status, code, message, errors, content, headers }: Failure) =>
  reply({ status: false, status_code: code, message, errors, content }, status, {
    ...headersByStatus[status],
    ...headers,
  })

/** What the caller learns of a bug: the id under which the log has it. */
export const internalError = (requestId: string) =>
  reply(
    {
      status: false,
      status_code: 'internal_error',
      message: `Something went wrong; the log has it as request ${requestId}`,
    },
    500,
  )
