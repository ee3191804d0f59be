// The attempts of a document, and its deliveries to subscribers, in the dialog with the document.
import type { Reply } from '#client/index'
import { Json, State, Time } from '../../parts/bits.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'

type Delivery = Reply<'bus', 'get', '/document'>['document']['subscriptions'][number]

/** Table of the calls to the handler, the webhook and the subscribers. */
export function Attempts({ collection, id }: { collection: string; id: number }) {
  const attempts = useData(
    (signal) => q().bus.get('/document/attempts', { collection, id }, { signal }),
    [collection, id],
    {
      every: 3_000,
    },
  )
  return (
    <LoadedContent of={attempts}>
      {({ attempts: rows }) => (
        <Table
          label="Attempts"
          rows={rows}
          keyOf={(attempt) => attempt.id}
          empty="No attempts yet."
          columns={[
            { title: 'Target', of: ({ target }) => target },
            { title: 'Attempt', isFigure: true, of: ({ attempt }) => attempt },
            { title: 'Started', of: ({ started_at }) => <Time of={started_at} /> },
            { title: 'Milliseconds', isFigure: true, of: ({ duration_ms }) => duration_ms },
            { title: 'Status', of: ({ status, error }) => <State of={error ?? String(status)} /> },
            {
              title: 'Answer',
              of: ({ headers, body }) =>
                body === null ? (
                  '–'
                ) : (
                  <details>
                    <summary>{headers?.['content-type'] ?? 'Text'}</summary>
                    <Json of={body} label="Beginning of the answer" />
                  </details>
                ),
            },
          ]}
        />
      )}
    </LoadedContent>
  )
}

/** Table of the deliveries to subscribers. */
export function Deliveries({ of }: { of: Delivery[] }) {
  return (
    <Table
      label="Subscribers"
      rows={of}
      keyOf={({ id }) => id}
      empty="No subscribers."
      columns={[
        { title: 'Subscription', of: ({ id }) => <code>{id}</code> },
        { title: 'State', of: ({ state }) => <State of={state} /> },
        { title: 'Attempts', isFigure: true, of: ({ attempts }) => attempts },
        { title: 'Status', of: ({ status_code }) => status_code ?? '–' },
        { title: 'Next attempt', of: ({ next_at }) => <Time of={next_at} /> },
      ]}
    />
  )
}
