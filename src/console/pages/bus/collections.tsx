import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Button, State } from '../../parts/bits.tsx'
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { asParams, Form, type FormField, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

type Collection = Reply<'bus', 'get', '/collections'>['collections'][number]

const size = 50

const types = [
  { value: 'sync', label: 'sync: the sender waits for the handler' },
  { value: 'async', label: 'async: stored, and the answer of the handler goes to a webhook' },
  { value: 'storage', label: 'storage: stored for others to fetch' },
]

const fieldsOf = (is?: Collection): FormField[] => [
  { name: 'type', label: 'Type', kind: 'choice', options: types, value: is?.type },
  {
    name: 'handler',
    label: 'Handler',
    kind: 'url',
    value: is?.handler ?? '',
    help: 'URL that documents are posted to. Ignored for storage',
  },
  { name: 'description', label: 'Description', value: is?.description ?? '' },
  {
    name: 'retention',
    label: 'Retention in days',
    kind: 'number',
    value: is?.retention ?? undefined,
    help: '0: BOX_RETENTION applies',
  },
  {
    name: 'concurrency',
    label: 'Concurrent deliveries',
    kind: 'number',
    value: is?.concurrency ?? undefined,
    help: 'For async, up to 32. 0: 2',
  },
  { name: 'retry_rejected', label: 'Retry answers 4xx for 75 hours', kind: 'check', value: is?.retry_rejected },
  { name: 'is_disabled', label: 'Disabled: refuses new documents', kind: 'check', value: is?.is_disabled },
]

/** Tab of the console's bus page: the collections, with actions to create, change and delete them. */
export function Collections() {
  const [offset, setOffset] = useState(0)
  const collections = useData(
    (signal) => q().bus.get('/collections', { limit: size, offset, count: true }, { signal }),
    [offset],
    { every: 10_000 },
  )
  const create = useAction(
    (values: FormValues) => q().bus.post('/collection', asParams<{ name: string; type: Collection['type'] }>(values)),
    { done: 'Collection created.', after: collections.reload },
  )
  return (
    <>
      <LoadedContent of={collections}>
        {({ collections: rows, nb_results }) => (
          <>
            <Table
              label="Collections"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No collections yet. Create one with the form below."
              columns={[
                { title: 'Collection', of: ({ name }) => <a href={hrefOf(['bus', 'collections', name])}>{name}</a> },
                { title: 'State', of: ({ is_disabled }) => <State of={is_disabled ? 'disabled' : 'active'} /> },
                { title: 'Type', of: ({ type }) => type },
                { title: 'Handler', of: ({ handler }) => handler ?? '–' },
                { title: 'Circuits', of: ({ circuits }) => <Circuits of={circuits} /> },
                { title: 'Description', of: ({ description }) => description },
                {
                  title: 'Access',
                  of: ({ id, name }) => (
                    <a href={hrefOf(['bus', 'access'], { collection: String(id) })} aria-label={`Access to ${name}`}>
                      Access
                    </a>
                  ),
                },
                { title: 'Action', of: (row) => <Actions collection={row} reload={collections.reload} /> },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? rows.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
      <div class="split">
        <Section title="New collection">
          <Form
            fields={[
              { name: 'name', label: 'Name', isRequired: true, help: 'Lowercase Latin letters and digits' },
              ...fieldsOf(),
            ]}
            submit="Create"
            onSubmit={create.run}
            isBusy={create.isBusy}
            error={create.error}
          />
        </Section>
        <Section title="Documents of a collection">
          <Form
            fields={[
              {
                name: 'name',
                label: 'Collection',
                isRequired: true,
                help: 'For users that cannot list all collections',
              },
            ]}
            submit="Open"
            onSubmit={async ({ name }) => {
              go(['bus', 'collections', String(name)])
              return true
            }}
          />
        </Section>
      </div>
    </>
  )
}

/** The circuits that are not closed: destinations that are down. */
function Circuits({ of }: { of: Collection['circuits'] }) {
  if (of.length === 0) return <>closed</>
  return (
    <>
      {of.map(({ destination, state, failures }) => (
        <div key={destination}>
          {destination}: {state.replace('_', ' ')} ({failures} failures)
        </div>
      ))}
    </>
  )
}

function Actions({ collection, reload }: { collection: Collection; reload: () => void }) {
  const { id, name } = collection
  const [isOpen, setOpen] = useState(false)
  const change = useAction(
    // An empty field clears the description.
    (values: FormValues) => q().bus.patch('/collection', { id, description: '', ...asParams<object>(values) }),
    {
      done: 'Collection changed.',
      after: () => {
        setOpen(false)
        reload()
      },
    },
  )
  const remove = useAction(() => q().bus.delete('/collection', { id, force: true }), {
    done: 'Collection deleted.',
    after: reload,
  })
  return (
    <div class="actions">
      <Button label={`Change ${name}`} onClick={() => setOpen(true)}>
        Change
      </Button>
      <ConfirmButton
        label={`Delete ${name}`}
        question={`This permanently deletes ${name} with all its documents and all access to it.`}
        isBusy={remove.isBusy}
        onConfirm={remove.run}
      >
        Delete
      </ConfirmButton>
      {isOpen && (
        <Dialog title={`Change ${name}`} onClose={() => setOpen(false)}>
          <Form
            fields={fieldsOf(collection)}
            submit="Save"
            onSubmit={change.run}
            isBusy={change.isBusy}
            error={change.error}
            keeps
          />
        </Dialog>
      )}
    </div>
  )
}
