import type { DetailedError } from 'tus-js-client'

/** Whether the same request could succeed a little later. */
export function isPassing({ originalResponse }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0
  return status === 0 || status >= 500 || [409, 423, 429].includes(status)
}

/** What the API says of an upload that has failed. */
export function messageOf(error: unknown): string {
  const response = error instanceof Error && 'originalResponse' in error && (error as DetailedError).originalResponse
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
