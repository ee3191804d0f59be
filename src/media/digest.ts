const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 15

/** A prefix and 15 random letters and digits, 89 bits: whoever has it may download. */
export function newDigest(prefix = ''): string {
  let digest = ''
  while (digest.length < length) {
    // Bytes past the last multiple of the alphabet's length would make some letters likelier than others.
    const bytes = crypto.getRandomValues(new Uint8Array(length * 2))
    for (const byte of bytes) if (byte < 248 && digest.length < length) digest += alphabet[byte % alphabet.length]
  }
  return prefix + digest
}
