// Interprets the errors of the client of tus, the protocol of resumable uploads: whether to retry, and which message to show.
import type { DetailedError } from 'tus-js-client'

/** Whether the same request could succeed later. */
export function isTemporary(error: unknown): boolean {
  const status = statusOf(error)
  return status === 0 || status >= 500 || [409, 423, 429].includes(status)
}

/** Whether the server has rejected the file permanently and deleted the upload. */
export const isFinal = (error: unknown): boolean => [400, 413, 415].includes(statusOf(error))

/** The error message of the API for a failed upload. */
export function messageOf(error: unknown): string {
  const response = responseOf(error)
  if (!response) return 'The connection is lost'
  try {
    const { message, errors = {} } = JSON.parse(response.getBody()) as {
      message: string
      errors?: Record<string, string>
    }
    return [message, ...Object.values(errors)].join('. ')
  } catch {
    return `The server replied with status ${response.getStatus()}`
  }
}

/** The status of the reply; 0 without a reply. */
const statusOf = (error: unknown) => responseOf(error)?.getStatus() ?? 0

/** Only some errors of the tus client have a response. */
const responseOf = (error: unknown) =>
  error instanceof Error && 'originalResponse' in error ? (error as DetailedError).originalResponse : null
