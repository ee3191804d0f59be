import { useState } from 'preact/hooks'
import { Button } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import type { Delivery } from './states.ts'

/** Starts the same delivery anew, once its name is confirmed. */
export function CopyButton({ delivery: { id, name } }: { delivery: Delivery }) {
  const [isAsked, setAsked] = useState(false)
  const copy = useAction(
    ({ name }: FormValues) =>
      q().delivery.post('/delivery/copy', { id, ...(typeof name === 'string' && { name: name.trim() }) }),
    { done: 'The copy has started.', after: ({ delivery }) => go(['delivery', `${delivery.id}`]) },
  )
  return (
    <>
      <Button onClick={() => setAsked(true)}>Copy</Button>
      {isAsked && (
        <Dialog title="Copy" onClose={() => setAsked(false)}>
          <p>It starts at once, and asks for the recipients anew: whoever got this one gets that one too.</p>
          <Form
            fields={[{ name: 'name', label: 'Name of the copy', value: name }]}
            submit="Start the copy"
            onSubmit={async (values) => {
              const isDone = await copy.run(values)
              if (isDone) setAsked(false)
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
