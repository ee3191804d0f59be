// Secrets of the bus's users: generates them, and hashes them for storage.

/**
 * The stored form of a secret: SHA-256 in hexadecimal. One round only, since each request computes the hash. That is safe, since a
 * generated secret cannot be guessed, and a chosen one has at least 16 characters.
 */
export async function hashOf(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))).toHex()
}

/** A new secret: 256 random bits. */
export const newSecret = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
