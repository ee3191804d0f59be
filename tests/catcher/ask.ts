import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'

interface Reply {
  status: number
  headers: Headers
  json: Record<string, unknown>
}

/** Asks the catcher with JSON in the body, or in the query where a GET cannot have one. */
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

/** What a refusal of one wrong parameter looks like. */
export const refusal = (field: string) => ({
  status: 400,
  json: { status: false, status_code: 'validation_failed', errors: { [field]: expect.any(String) } },
})
