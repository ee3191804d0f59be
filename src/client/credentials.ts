import { table } from './api/index.ts'
import type { Settings } from './types.ts'

/**
 * The headers with which a call authenticates at a component: the component's own secret, a bearer token, or HTTP
 * Basic.
 */
export async function credentialsOf(
  { token, username, password, secrets = {} }: Settings,
  component: string,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {}
  if (token) headers.authorization = `Bearer ${typeof token === 'function' ? await token() : token}`
  else if (username !== undefined && password !== undefined)
    headers.authorization = `Basic ${toBase64(`${username}:${password}`)}`
  const [header, secret] = [table.secrets[component], secrets[component as keyof typeof secrets]]
  if (header && secret) headers[header] = secret
  return headers
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
