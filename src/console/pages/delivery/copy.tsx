import { useState } from 'preact/hooks'
import { Button } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import type { Delivery } from './states.ts'

/** Button that starts a copy of a delivery after its name is confirmed. */
export function CopyButton({ delivery: { id, name } }: { delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false)
  const copy = useAction(
    ({ name }: FormValues) =>
      q().delivery.post('/delivery/copy', { id, ...(typeof name === 'string' && { name: name.trim() }) }),
    { done: 'Copy started.', after: ({ delivery }) => go(['delivery', `${delivery.id}`]) },
  )
  return (
    <>
      <Button onClick={() => setOpen(true)}>Copy</Button>
      {isOpen && (
        <Dialog title="Copy" onClose={() => setOpen(false)}>
          <p>The copy starts at once and fetches the recipients again. Recipients of this delivery get the copy too.</p>
          <Form
            fields={[{ name: 'name', label: 'Name of the copy', value: name }]}
            submit="Start copy"
            onSubmit={async (values) => {
              const isDone = await copy.run(values)
              if (isDone) setOpen(false)
              return isDone
            }}
            isBusy={copy.isBusy}
            error={copy.error}
          />
        </Dialog>
      )}
    </>
  )
}
