/**
 * Returns a function that computes the anchors of a page's headings as GitHub does: a second heading with the same text
 * gets `text-1`.
 */
export function anchors(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  }
}

/** The anchors of all headings of a Markdown text, to check that links lead to one. */
export function anchorsIn(markdown: string): Set<string> {
  const anchorOf = anchors()
  const prose = markdown.replaceAll(/^```.*?^```$/gms, '')
  return new Set([...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(plain(heading!))))
}

/** A heading without its markup. */
export const plain = (markdown: string) => markdown.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
