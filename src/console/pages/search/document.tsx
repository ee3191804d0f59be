import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { Shown } from '../../parts/page.tsx'
import { useAction, useData } from '../../use.ts'
import { type SearchVariant, searchOf } from './variant.ts'

interface DocumentProps {
  variant: SearchVariant
  index: string
  code: string
  onClose: () => void
  onGone?: () => void
}

/** A document as it was written. */
export function Document({ variant, index, code, onClose, onGone }: DocumentProps) {
  const document = useData(
    (signal) => searchOf(variant).get('/document', { index, code }, { signal }),
    [variant, index, code],
  )
  const remove = useAction(() => searchOf(variant).delete('/document', { index, code }), {
    done: 'The document is gone.',
    after: () => {
      onClose()
      onGone?.()
    },
  })
  return (
    <Dialog title={`Document ${code}`} onClose={onClose}>
      <Shown of={document}>
        {({ document: { title, text } }) => (
          <>
            {title && <h3>{title}</h3>}
            <p class="written">{text}</p>
            <ConfirmButton
              label={`Delete ${code}`}
              question="It is not found any more."
              isBusy={remove.isBusy}
              onConfirm={() => remove.run()}
            >
              Delete
            </ConfirmButton>
          </>
        )}
      </Shown>
    </Dialog>
  )
}
