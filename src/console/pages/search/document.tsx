// The dialog that shows one document of a search index.
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { useAction, useData } from '../../use.ts'
import { type SearchVariant, searchOf } from './variant.ts'

interface DocumentProps {
  variant: SearchVariant
  index: string
  code: string
  onClose: () => void
  onDeleted?: () => void
}

/** Dialog that shows a document and can delete it. */
export function Document({ variant, index, code, onClose, onDeleted }: DocumentProps) {
  const document = useData(
    (signal) => searchOf(variant).get('/document', { index, code }, { signal }),
    [variant, index, code],
  )
  const remove = useAction(() => searchOf(variant).delete('/document', { index, code }), {
    done: 'Document deleted',
    after: () => {
      onClose()
      onDeleted?.()
    },
  })
  return (
    <Dialog title={`Document ${code}`} onClose={onClose}>
      <LoadedContent of={document}>
        {({ document: { title, text } }) => (
          <>
            {title && <h3>{title}</h3>}
            <p class="written">{text}</p>
            <ConfirmButton
              label={`Delete ${code}`}
              question="Searches will no longer find this document."
              isBusy={remove.isBusy}
              onConfirm={() => remove.run()}
            >
              Delete
            </ConfirmButton>
          </>
        )}
      </LoadedContent>
    </Dialog>
  )
}
