import { useState } from 'preact/hooks'
import { State, Time } from '../../parts/bits.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { Document } from './document.tsx'
import { BulkReplay } from './replay.tsx'

const size = 50

const states = ['waiting', 'processing', 'delivered', 'rejected', 'failed'] as const

interface DocumentsProps {
  collection: string
  before: number
  /** Only documents in this state. */
  state: string | null
}

/** Tab of the console's bus page: the documents of a collection, the newest first; with `before`, only documents before that id. */
export function Documents({ collection, before, state }: DocumentsProps) {
  const [opened, setOpened] = useState<number>()
  const total = useData((signal) => q().bus.get('/documents/count', { collection }, { signal }), [collection], {
    every: 5_000,
  })
  const documents = useData(
    (signal) => {
      const inState = states.find((one) => one === state)
      const chosen = { collection, id: before, order: 'desc' as const, limit: size, ...(inState && { state: inState }) }
      return q().bus.get('/documents', chosen, { signal })
    },
    [collection, before, state],
    { every: 5_000 },
  )
  const here = ['bus', 'collections', collection]
  return (
    <Section
      title={total.data ? `Documents: ${total.data.documents}` : 'Documents'}
      actions={
        <a class="button" href={hrefOf([...here, 'send'])}>
          Send a document
        </a>
      }
    >
      <nav class="actions" aria-label="State">
        {['all', ...states].map((one) => (
          <a
            key={one}
            href={hrefOf(here, one === 'all' ? {} : { state: one })}
            aria-current={one === (state ?? 'all') ? 'true' : undefined}
          >
            {one}
          </a>
        ))}
      </nav>
      <LoadedContent of={documents}>
        {({ documents: rows }) => (
          <>
            <Table
              label="Documents"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No documents."
              columns={[
                {
                  title: 'Document',
                  of: ({ id, uuid }) => (
                    <button type="button" class="plain" onClick={() => setOpened(id)}>
                      {id}: {uuid}
                    </button>
                  ),
                },
                { title: 'State', of: ({ state }) => <State of={state ?? 'stored'} /> },
                { title: 'Event', of: ({ event }) => event },
                { title: 'Sent', of: ({ created_at }) => <Time of={created_at} /> },
                { title: 'Attempts', isFigure: true, of: ({ attempts }) => attempts ?? '–' },
                { title: 'Webhook attempts', isFigure: true, of: ({ webhook_attempts }) => webhook_attempts ?? '–' },
                { title: 'Data', of: ({ data }) => <code>{shortOf(data)}</code> },
              ]}
            />
            <p class="actions">
              {before > 0 && <a href={hrefOf(here, { state: state ?? undefined })}>Newest</a>}
              {rows.length > 0 && rows.at(-1)!.id > 1 && (
                <a href={hrefOf(here, { before: String(rows.at(-1)!.id), state: state ?? undefined })}>Older</a>
              )}
            </p>
          </>
        )}
      </LoadedContent>
      <BulkReplay collection={collection} after={documents.reload} />
      {opened !== undefined && (
        <Document collection={collection} id={opened} onClose={() => setOpened(undefined)} after={documents.reload} />
      )}
    </Section>
  )
}

function shortOf(data: unknown): string {
  const text = JSON.stringify(data)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
