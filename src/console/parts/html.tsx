/**
 * Shows untrusted HTML, such as a caught mail, in a sandboxed frame: its scripts do not run, and it cannot access the console.
 */
export function Html({ of, title, height = '20rem' }: { of: string; title: string; height?: string }) {
  return <iframe sandbox="" srcdoc={of} title={title} style={{ height }} />
}
