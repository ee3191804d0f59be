const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const digestLength = 15

/** Generates a digest: a prefix and 15 random letters and digits (89 bits). The digest is a capability: anyone who has it can download. */
export function newDigest(prefix = ''): string {
  let digest = ''
  while (digest.length < digestLength) {
    // Rejection sampling: bytes above the last multiple of 62 would make some letters more likely than others.
    const bytes = crypto.getRandomValues(new Uint8Array(digestLength * 2))
    for (const byte of bytes) if (byte < 248 && digest.length < digestLength) digest += alphabet[byte % alphabet.length]
  }
  return prefix + digest
}
