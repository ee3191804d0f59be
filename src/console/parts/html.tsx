/** Untrusted HTML in a sandboxed frame: scripts do not run, and the frame cannot access the page. */
export function Html({ of, title, height = '20rem' }: { of: string; title: string; height?: string }) {
  return <iframe sandbox="" srcdoc={of} title={title} style={{ height }} />
}
