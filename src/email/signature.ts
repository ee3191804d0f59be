// Adds the configured signature (a footer, not a cryptographic one) to a mail.

/** Appends a signature to a text, after a blank line. The signature itself may begin with `-- ` (RFC 3676). */
export const signText = (text: string, signature: string) => (signature ? `${text.trimEnd()}\n\n${signature}` : text)

/** Inserts a signature before the last `</body>` of an HTML page, or appends it. */
export function signHtml(html: string, signature: string): string {
  if (!signature) return html
  // `toLowerCase` would change the length of some letters, and so the index.
  const at = [...html.matchAll(/<\/body>/gi)].at(-1)?.index ?? -1
  return at === -1 ? html + signature : html.slice(0, at) + signature + html.slice(at)
}
