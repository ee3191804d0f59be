import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from './bits.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A modal dialog. Escape closes it, and the focus returns to the element that had it before. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header class="section">
        <h2 id={id}>{title}</h2>
        <Button kind="plain" label="Close" onClick={() => dialog.current?.close()}>
          ×
        </Button>
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  /** The text of the button on the page, and of the button in the dialog that confirms. */
  children: string
  /** The effect of the action, as a sentence that the dialog shows. */
  question: string
  onConfirm: () => unknown
  isBusy?: boolean
  label?: string
}

/** A button for an action that cannot be undone: a dialog asks for confirmation. */
export function ConfirmButton({ children, question, onConfirm, isBusy = false, label }: ConfirmProps) {
  const [isAsked, setAsked] = useState(false)
  const close = () => setAsked(false)
  return (
    <>
      <Button kind="danger" isBusy={isBusy} {...(label && { label })} onClick={() => setAsked(true)}>
        {children}
      </Button>
      {isAsked && (
        <Dialog title={children} onClose={close}>
          <p>{question}</p>
          <div class="actions">
            <Button
              kind="danger"
              onClick={() => {
                close()
                return onConfirm()
              }}
            >
              {children}
            </Button>
            {/* Two buttons "Cancel" would be ambiguous: one that runs the action, and one that closes the dialog. */}
            <Button onClick={close}>{children === 'Cancel' ? 'Back' : 'Cancel'}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
