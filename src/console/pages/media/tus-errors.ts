// Interprets the errors of the client of tus, the protocol of resumable uploads: whether to retry, and which message to show.
import type { DetailedError } from 'tus-js-client'

/**
 * Whether the same request may succeed later, so that the upload is retried: a network error, or a temporary error of the server.
 */
export function isTemporary(error: unknown): boolean {
  const status = statusOf(error)
  return status === 0 || status >= 500 || [409, 423, 429].includes(status)
}

/** Whether the server has rejected the file permanently. It has then deleted the upload, which cannot be resumed. */
export const isFinal = (error: unknown): boolean => [400, 413, 415].includes(statusOf(error))

/** Returns the message for a failed upload: that of the API if there is one. */
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

/** Returns the status of the reply; 0 if there was no reply. */
const statusOf = (error: unknown) => responseOf(error)?.getStatus() ?? 0

/** Returns the response of an error. Only some errors of the tus client have one. */
const responseOf = (error: unknown) =>
  error instanceof Error && 'originalResponse' in error ? (error as DetailedError).originalResponse : null
