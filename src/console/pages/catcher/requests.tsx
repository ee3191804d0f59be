// List of the requests that the catcher caught in a space. New ones appear by themselves.
import { useState } from 'preact/hooks'
import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { useCaptureEvents } from './events.ts'
import { type Caught, Request, ResponseState } from './request.tsx'

/** Filter of the list: a space, and a method and a path unless they are empty. */
interface RequestFilter {
  space: string
  method: string
  path: string
}

const size = 50

/** The list of caught requests, the newest first, with a dialog for the details of one. */
export function Requests({ space, method, path }: RequestFilter) {
  const [offset, setOffset] = useState(0)
  const [opened, setOpened] = useState<Caught>()
  const inSpace = space ? { space } : {}
  const caught = useData(
    (signal) => {
      const filter = { ...inSpace, ...(method && { method }), ...(path && { path }) }
      return q().catcher.get('/_requests_', { ...filter, limit: size, offset, count: true }, { signal })
    },
    [space, method, path, offset],
    { every: 10_000 },
  )
  useCaptureEvents(space, caught.reload)
  const forget = useAction(() => q().catcher.delete('/_requests_', inSpace), {
    done: 'Requests deleted.',
    after: caught.reload,
  })
  return (
    <Section
      title="Requests"
      actions={
        <ConfirmButton
          label="Clear all requests of this space"
          question="This permanently deletes all requests of this space, including those that are not listed here."
          isBusy={forget.isBusy}
          onConfirm={forget.run}
        >
          Clear
        </ConfirmButton>
      }
    >
      <LoadedContent of={caught}>
        {({ requests, nb_results }) => (
          <>
            <Table
              label="Requests"
              rows={requests}
              keyOf={({ id }) => id}
              empty="No requests yet. Requests to the address above appear here."
              columns={[
                { title: 'Time', of: ({ created_at }) => <Time of={created_at} /> },
                {
                  title: 'Request',
                  of: (request) => (
                    <button type="button" class="plain" onClick={() => setOpened(request)}>
                      {request.method.toUpperCase()} {request.path}
                      {queryOf(request)}
                    </button>
                  ),
                },
                { title: 'Type', of: ({ headers }) => headers['content-type'] ?? '–' },
                ...(requests.some(({ response }) => response)
                  ? [{ title: 'Response', of: ({ response }: Caught) => response && <ResponseState of={response} /> }]
                  : []),
                { title: 'Body', of: ({ body }) => <code>{body.length > 80 ? `${body.slice(0, 80)}…` : body}</code> },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? requests.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
      {opened && <Request of={opened} space={space} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}

/** The query of a request with its question mark. */
function queryOf({ query }: Caught): string {
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}
