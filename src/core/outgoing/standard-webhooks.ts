/**
 * The headers of a Standard Webhooks message (https://github.com/standard-webhooks/standard-webhooks) with a signature for each
 * key. During a key rotation there are two keys, and the receiver may have either. Without keys, the message is not signed.
 */
export async function messageHeaders(
  id: string,
  body: string,
  key: Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[] | undefined,
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  const keys = [key ?? []].flat()
  if (keys.length === 0) return headers
  const signatures = await Promise.all(keys.map((key) => sign(key, `${id}.${timestamp}.${body}`)))
  return { ...headers, 'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' ') }
}

async function sign(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(text))).toBase64()
}

/** Decodes a signing secret: 24 to 64 bytes in base64, with or without the prefix `whsec_`. `undefined` if it is invalid. */
export function keyOf(secret: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const key = Uint8Array.fromBase64(secret.replace(/^whsec_/, ''))
    return key.length >= 24 && key.length <= 64 ? key : undefined
  } catch {
    return undefined
  }
}
