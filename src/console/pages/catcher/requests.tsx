import { useState } from 'preact/hooks'
import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Section, Shown } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { useComing } from './coming.ts'
import { type Caught, Request } from './request.tsx'

/** Which caught requests are listed: those of a space, with a method and a path unless these are empty. */
interface RequestFilter {
  space: string
  method: string
  path: string
}

const size = 50

/** What was caught, the newest first; what comes appears by itself. */
export function Requests({ space, method, path }: RequestFilter) {
  const [offset, setOffset] = useState(0)
  const [opened, setOpened] = useState<Caught>()
  const inSpace = space ? { space } : {}
  const caught = useData(
    (signal) => {
      const wanted = { ...inSpace, ...(method && { method }), ...(path && { path }) }
      return q().catcher.get('/_requests_', { ...wanted, limit: size, offset, count: true }, { signal })
    },
    [space, method, path, offset],
    { every: 10_000 },
  )
  useComing(space, caught.reload)
  const forget = useAction(() => q().catcher.delete('/_requests_', inSpace), {
    done: 'All of it is forgotten.',
    after: caught.reload,
  })
  return (
    <Section
      title="Requests"
      actions={
        <ConfirmButton
          label="Forget all requests of this space"
          question="All requests of this space are gone then, also those that are not listed here."
          isBusy={forget.isBusy}
          onConfirm={forget.run}
        >
          Forget all
        </ConfirmButton>
      }
    >
      <Shown of={caught}>
        {({ requests, nb_results }) => (
          <>
            <Table
              label="Requests"
              rows={requests}
              keyOf={({ id }) => id}
              empty="Nothing has been caught here yet. What is sent to the address above appears by itself."
              columns={[
                { title: 'Time', of: ({ created_at }) => <Time of={created_at} /> },
                {
                  title: 'Request',
                  of: (request) => (
                    <button type="button" class="plain" onClick={() => setOpened(request)}>
                      {request.method.toUpperCase()} {request.path}
                    </button>
                  ),
                },
                { title: 'Type', of: ({ headers }) => headers['content-type'] ?? '–' },
                { title: 'Body', of: ({ body }) => <code>{body.length > 80 ? `${body.slice(0, 80)}…` : body}</code> },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? requests.length} onTurn={setOffset} />
          </>
        )}
      </Shown>
      {opened && <Request of={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}
