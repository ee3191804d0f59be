// Dialog with the details of a request that the catcher caught.
import type { Reply } from '#client/index'
import { Json, sizeOf, Time } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/table.tsx'

/** A caught request, as the API returns it. */
export type Caught = Reply<'catcher', 'get', '/_requests_'>['requests'][number]

export function Request({ of: request, onClose }: { of: Caught; onClose: () => void }) {
  const { id, method, path, host, port, query, headers, created_at } = request
  return (
    <Dialog title={`Request ${id}`} onClose={onClose}>
      <Facts
        of={{ Request: `${method.toUpperCase()} ${path}`, Host: `${host}:${port}`, Caught: <Time of={created_at} /> }}
      />
      {Object.keys(query).length > 0 && (
        <>
          <h3>Query</h3>
          <Json of={query} label="Query" />
        </>
      )}
      <h3>Body</h3>
      <Body of={request} />
      <h3>Headers</h3>
      <Json of={headers} label="Headers" />
    </Dialog>
  )
}

function Body({ of: { body, json, body_encoding, body_truncated, body_size } }: { of: Caught }) {
  if (body === '') return <p class="quiet">No body.</p>
  return (
    <>
      {body_encoding && <p class="quiet">The body is not text. It is shown as base64.</p>}
      {body_truncated && (
        <p class="quiet">Only the first megabyte was kept{body_size !== undefined && `, of ${sizeOf(body_size)}`}.</p>
      )}
      <Json of={json ?? body} label="Body" />
    </>
  )
}
