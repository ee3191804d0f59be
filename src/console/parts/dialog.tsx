import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from './bits.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A window over the page; Escape closes it, and the focus goes back to where it was. */
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
  /** What the button says, and what confirms it. */
  children: string
  /** What it is about to do, as a sentence. */
  question: string
  onConfirm: () => unknown
  isBusy?: boolean
  label?: string
}

/** A button for what cannot be taken back: it asks before. */
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
            <Button onClick={close}>Keep</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
