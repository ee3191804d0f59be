import type { ComponentChildren } from 'preact'
import { CopyButton } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'

/** A secret that the API shows only once. The console forgets it when the dialog is closed. */
export interface ShownSecret {
  title: string
  /** Name of the secret: `secret` or `token`. */
  kind: string
  text: string
  about?: ComponentChildren
}

export function SecretDialog({ of: { title, kind, text, about }, onClose }: { of: ShownSecret; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Copy the {kind} now. It is not shown again.</p>
      <p class="actions">
        <code class="secret">{text}</code>
        <CopyButton text={text} label={`the ${kind}`} />
      </p>
      {about && <p class="quiet">{about}</p>}
    </Dialog>
  )
}
