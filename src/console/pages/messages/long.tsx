const maxPreviewLength = 120

/** A text of any length. Only the beginning of a long one is shown until the user opens it. */
export function Long({ of }: { of: string }) {
  if (of.length <= maxPreviewLength) return <>{of}</>
  return (
    <details>
      <summary>{of.slice(0, maxPreviewLength)}…</summary>
      {of}
    </details>
  )
}
