import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

interface NewRecordProps {
  collection: string
  recipient: string | undefined
}

/** Form that adds a record. */
export function NewRecord({ collection, recipient }: NewRecordProps) {
  const add = useAction(
    (values: FormValues) => q().feed.post('/record', { ...asParams<{ recipient: string }>(values), collection }),
    { done: 'Record added.', after: ({ record }) => go(['feed', collection, 'of', record.recipient]) },
  )
  return (
    <Form
      fields={[
        { name: 'recipient', label: 'Recipient', isRequired: true, value: recipient },
        { name: 'title', label: 'Title' },
        { name: 'text', label: 'Text', kind: 'area' },
        { name: 'sender', label: 'Sender' },
        { name: 'thread', label: 'Thread', help: 'Tag that groups records' },
        { name: 'image', label: 'Image URL' },
        { name: 'payload', label: 'Payload', kind: 'json', help: 'Any JSON value' },
        { name: 'created_at', label: 'Time', kind: 'date', help: 'Default: now' },
      ]}
      submit="Add record"
      onSubmit={add.run}
      isBusy={add.isBusy}
      error={add.error}
    />
  )
}
