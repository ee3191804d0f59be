// Adds the configured signature to a mail. This is a footer for people; `dkim.ts` has the cryptographic signature.

/**
 * Appends a signature to a text, after a blank line. The separator `-- ` (RFC 3676) is not added: the configured signature may
 * begin with it.
 */
export const signText = (text: string, signature: string) => (signature ? `${text.trimEnd()}\n\n${signature}` : text)

/** Inserts a signature before the last `</body>` of an HTML page. Appends it if there is no `</body>`. */
export function signHtml(html: string, signature: string): string {
  if (!signature) return html
  // Searches with a regular expression that ignores case. `toLowerCase` would change the length of letters such as İ, and the
  // index would be wrong.
  const at = [...html.matchAll(/<\/body>/gi)].at(-1)?.index ?? -1
  return at === -1 ? html + signature : html.slice(0, at) + signature + html.slice(at)
}
