/** HTML that somebody else has written, in a frame of its own: nothing of it runs, and nothing of it reaches the page. */
export function Html({ of, title, height = '20rem' }: { of: string; title: string; height?: string }) {
  return <iframe sandbox="" srcdoc={of} title={title} style={{ height }} />
}
