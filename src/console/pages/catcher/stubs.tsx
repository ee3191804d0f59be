// Tab of the console's catcher page: the stubs of a space, and a form that creates one, also from a caught request.
import { useState } from 'preact/hooks'
import { Button, Json, State, Time } from '../../parts/bits.tsx'
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import type { Caught } from './request.tsx'
import { fieldsOf, type ListedStub, stubOf } from './stub-form.ts'

/** The stubs of a space. `from` is the id of a request whose values the form has. */
export function Stubs({ space, from }: { space: string; from: string }) {
  const inSpace = space ? { space } : {}
  const [opened, setOpened] = useState<ListedStub>()
  const stubs = useData((signal) => q().catcher.get('/_requests_/stubs', inSpace, { signal }), [space], {
    every: 5_000,
  })
  const remove = useAction((id: number) => q().catcher.delete('/_requests_/stubs', { ...inSpace, id }), {
    done: 'Stub deleted.',
    after: stubs.reload,
  })
  const clear = useAction(() => q().catcher.delete('/_requests_/stubs', inSpace), {
    done: 'Stubs deleted.',
    after: stubs.reload,
  })
  return (
    <>
      <Section
        title="Stubs"
        actions={
          <ConfirmButton
            label="Delete all stubs of this space"
            question="Requests get the default reply again."
            isBusy={clear.isBusy}
            onConfirm={clear.run}
          >
            Delete all
          </ConfirmButton>
        }
      >
        <LoadedContent of={stubs}>
          {({ stubs: rows }) => (
            <Table
              label="Stubs"
              rows={rows}
              keyOf={({ id }) => id}
              empty='No stubs. Requests get the default reply, {"status": true}.'
              columns={[
                {
                  title: 'Requests',
                  of: (stub) => (
                    <button type="button" class="plain" onClick={() => setOpened(stub)}>
                      {matchOf(stub)}
                    </button>
                  ),
                },
                { title: 'Reply', of: (stub) => <Replies of={stub} /> },
                { title: 'Priority', isFigure: true, of: ({ priority }) => priority },
                {
                  title: 'Used',
                  isFigure: true,
                  of: ({ used, times }) => (times === null ? used : `${used} of ${times}`),
                },
                {
                  title: 'Action',
                  of: ({ id }) => (
                    <Button label={`Delete stub ${id}`} isBusy={remove.isBusy} onClick={() => remove.run(id)}>
                      Delete
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </LoadedContent>
        {opened && <Details of={opened} onClose={() => setOpened(undefined)} />}
      </Section>
      <NewStub key={`${space} ${from}`} space={space} from={from} onCreate={stubs.reload} />
    </>
  )
}

function matchOf({ match: { method, path, query = {}, headers = {}, json } }: ListedStub): string {
  const count = Object.keys(query).length + Object.keys(headers).length + (json === undefined ? 0 : 1)
  const more = count > 0 ? ` and ${count} more condition${count > 1 ? 's' : ''}` : ''
  return `${method?.toUpperCase() ?? 'All'} ${path ?? '*'}${more}`
}

function Replies({ of: { replies, forward } }: { of: ListedStub }) {
  if (forward !== null) return <>Forwarded to {forward}</>
  return (
    <>
      {replies.slice(0, 10).map(({ status }, at) => (
        <State key={at} of={String(status)} />
      ))}
      {replies.length > 10 && ' …'}
    </>
  )
}

function Details({
  of: { id, created_at, match, replies, forward },
  onClose,
}: {
  of: ListedStub
  onClose: () => void
}) {
  return (
    <Dialog title={`Stub ${id}`} onClose={onClose}>
      <p class="quiet">
        Created <Time of={created_at} />
      </p>
      <h3>Requests</h3>
      <Json of={match} label="Requests" />
      <h3>{forward === null ? 'Replies' : 'Forwarded to'}</h3>
      <Json of={forward ?? replies} label="Replies" />
    </Dialog>
  )
}

interface NewStubProps {
  space: string
  from: string
  onCreate: () => void
}

function NewStub({ space, from, onCreate }: NewStubProps) {
  const inSpace = space ? { space } : {}
  const origin = useData(
    async (signal): Promise<{ request?: Caught }> => {
      if (!from) return {}
      return q().catcher.get('/_requests_/{id}', { ...inSpace, id: Number(from) }, { signal })
    },
    [space, from],
  )
  const create = useAction(
    (values: Record<string, unknown>) => q().catcher.post('/_requests_/stubs', { ...stubOf(values), ...inSpace }),
    {
      done: 'Stub created.',
      after: () => {
        onCreate()
        if (from) go(['catcher', 'stubs'], { space })
      },
    },
  )
  return (
    <Section title={from ? `New stub from request ${from}` : 'New stub'}>
      <LoadedContent of={origin}>
        {({ request }) => (
          <Form
            fields={fieldsOf(request)}
            submit="Create stub"
            onSubmit={create.run}
            isBusy={create.isBusy}
            error={create.error}
          />
        )}
      </LoadedContent>
    </Section>
  )
}
