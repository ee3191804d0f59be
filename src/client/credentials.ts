import { table } from './api/index.ts'
import type { Settings } from './types.ts'

/** The headers that say who calls a component. */
export async function credentialsOf(
  { token, username, password, secrets = {} }: Settings,
  component: string,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {}
  if (token) headers.authorization = `Bearer ${typeof token === 'function' ? await token() : token}`
  else if (username !== undefined && password !== undefined)
    headers.authorization = `Basic ${toBase64(`${username}:${password}`)}`
  const [secret, header] = [
    Object.entries(secrets).find(([name]) => name === component)?.[1],
    Object.entries(table.secrets).find(([name]) => name === component)?.[1],
  ]
  if (secret && header) headers[header] = secret
  return headers
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
