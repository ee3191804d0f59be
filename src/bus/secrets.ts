/**
 * A user's secret as it is kept: SHA-256 in hexadecimal. One round, as it is taken for every request: nobody guesses a
 * generated secret, and one that a caller chooses has at least 16 characters.
 */
export async function hashOf(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))).toHex()
}

/** A new secret: 256 random bits. */
export const newSecret = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
