// Generates the digest of a new item: its random, unguessable id.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const digestLength = 15

/**
 * Generates a digest: a prefix and 15 random letters and digits (89 bits). Anyone with the digest can download the item, so it must
 * not be guessable.
 */
export function newDigest(prefix = ''): string {
  let digest = ''
  while (digest.length < digestLength) {
    // Rejection sampling: 248 is the largest multiple of 62 below 256. With the bytes from 248, the first 8 letters would be more
    // likely.
    const bytes = crypto.getRandomValues(new Uint8Array(digestLength * 2))
    for (const byte of bytes) if (byte < 248 && digest.length < digestLength) digest += alphabet[byte % alphabet.length]
  }
  return prefix + digest
}
