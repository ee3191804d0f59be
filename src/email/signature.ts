/** A text with the signature after it and a blank line between (RFC 3676 has `-- ` before one, which is left to it). */
export const signText = (text: string, signature: string) => (signature ? `${text.trimEnd()}\n\n${signature}` : text)

/** A page with the signature before its last `</body>`, or at its end. */
export function signHtml(html: string, signature: string): string {
  if (!signature) return html
  // Not `toLowerCase`, which makes some letters two.
  const at = [...html.matchAll(/<\/body>/gi)].at(-1)?.index ?? -1
  return at === -1 ? html + signature : html.slice(0, at) + signature + html.slice(at)
}
