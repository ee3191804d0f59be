// Dialog with the details of a request that the catcher caught.
import type { Reply } from '#client/index'
import { Json, State, sizeOf, Time } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'

/** A caught request, as the API returns it. */
export type Caught = Reply<'catcher', 'get', '/_requests_'>['requests'][number]

interface RequestProps {
  of: Caught
  space: string
  onClose: () => void
}

/** The details of a request, with the response of the server to which a stub forwarded it. */
export function Request({ of: request, space, onClose }: RequestProps) {
  const { id, method, path, host, port, query, headers, created_at, response } = request
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
      {response && <Response of={response} />}
      <p class="actions">
        <a href={hrefOf(['catcher', 'stubs'], { space, from: String(id) })}>Create a stub from this request</a>
      </p>
    </Dialog>
  )
}

type Answer = NonNullable<Caught['response']>

/** The status of a response, or that there was none. */
export const ResponseState = ({ of: { status } }: { of: Answer }) => <State of={String(status ?? 'failed')} />

function Response({ of: response }: { of: Answer }) {
  const { error, duration_ms, body, headers } = response
  return (
    <>
      <h3>Response</h3>
      <p>
        <ResponseState of={response} /> {error ?? `after ${duration_ms} ms`}
      </p>
      {body !== '' && <Json of={body} label="Response body" />}
      {error === null && <Json of={headers} label="Response headers" />}
    </>
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
