// Shared helpers of the catcher's tests: calls its API, and matches its errors.
import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'

interface Reply {
  status: number
  headers: Headers
  json: Record<string, unknown>
}

/** Calls the catcher's API with parameters: as JSON in the body, or for a GET, which has no body, in the query. */
export async function ask(
  method: string,
  path: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const query = method === 'GET' ? `?${new URLSearchParams(Object.entries(params))}` : ''
  const response = await exports.default.fetch(`http://catcher.example${path}${query}`, {
    method,
    headers,
    ...(method !== 'GET' && { body: JSON.stringify(params) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text ? JSON.parse(text) : {} }
}

/** Matches the 400 for one invalid parameter. */
export const refusal = (field: string) => ({
  status: 400,
  json: { status: false, status_code: 'validation_failed', errors: { [field]: expect.any(String) } },
})
