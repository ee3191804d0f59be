const maxPreviewLength = 120

/** A text of whatever length: of a long one the beginning, and all of it once that is asked for. */
export function Long({ of }: { of: string }) {
  if (of.length <= maxPreviewLength) return <>{of}</>
  return (
    <details>
      <summary>{of.slice(0, maxPreviewLength)}…</summary>
      {of}
    </details>
  )
}
