// Form that replays the documents of a collection by state and time, and shows the progress.
import { useState } from 'preact/hooks'
import { State } from '../../parts/bits.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

/** The form, and below it the progress of the operation that it started last. */
export function BulkReplay({ collection, after }: { collection: string; after: () => void }) {
  const [operation, setOperation] = useState<string>()
  const start = useAction(
    (values: FormValues) => q().bus.post('/documents/replay', { collection, ...asParams<object>(values) }),
    {
      done: 'Replay started.',
      after: (started) => {
        setOperation(started.operation.id)
        after()
      },
    },
  )
  return (
    <Section title="Bulk replay">
      <Form
        fields={[
          {
            name: 'state',
            label: 'In state',
            kind: 'choice',
            options: [{ value: '', label: 'any' }, 'failed', 'rejected', 'delivered', 'waiting'],
          },
          { name: 'from', label: 'Sent from', kind: 'date' },
          { name: 'to', label: 'Sent before', kind: 'date' },
          { name: 'target', label: 'Send to', help: 'handler, webhook, or the id of a subscription. Default: handler' },
        ]}
        submit="Start"
        onSubmit={start.run}
        isBusy={start.isBusy}
        error={start.error}
      />
      {operation && <Progress collection={collection} id={operation} />}
    </Section>
  )
}

function Progress({ collection, id }: { collection: string; id: string }) {
  const found = useData((signal) => q().bus.get('/operation', { collection, id }, { signal }), [collection, id], {
    every: 3_000,
  })
  return (
    <LoadedContent of={found}>
      {({ operation: { state, matched, done } }) => (
        <Facts of={{ Replay: <State of={state} />, Found: matched, Replayed: done }} />
      )}
    </LoadedContent>
  )
}
