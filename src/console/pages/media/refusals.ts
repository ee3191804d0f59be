import type { DetailedError } from 'tus-js-client'

/** Whether the same request could succeed a little later. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error)
  return status === 0 || status >= 500 || [409, 423, 429].includes(status)
}

/** Whether the server has refused the file for good, and keeps nothing of it. */
export const isFinal = (error: unknown): boolean => [400, 413, 415].includes(statusOf(error))

/** What the API says of an upload that has failed. */
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
    return `The server answered with ${response.getStatus()}`
  }
}

/** 0 where there was no answer. */
const statusOf = (error: unknown) => responseOf(error)?.getStatus() ?? 0

/** The tus client throws more than the errors that have a response. */
const responseOf = (error: unknown) =>
  error instanceof Error && 'originalResponse' in error ? (error as DetailedError).originalResponse : null
