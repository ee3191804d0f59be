import type { Reply } from '#client/index'
import { QuartermasterError } from '#client/index'
import { State } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { asParams, Form, type FormField, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

type Canned = Reply<'catcher', 'get', '/_requests_/reply'>['reply']

/** Tab of the console's catcher page: shows the reply that the requests of a space get, and sets or deletes a canned one. */
export function CannedReply({ space }: { space: string }) {
  const inSpace = space ? { space } : {}
  const reply = useData(async (signal) => ({ set: await find(inSpace, signal) }), [space])
  const set = useAction(
    (values: FormValues) => q().catcher.put('/_requests_/reply', { ...asParams(values), ...inSpace }),
    {
      done: 'Reply set.',
      after: reply.reload,
    },
  )
  const remove = useAction(() => q().catcher.delete('/_requests_/reply', inSpace), {
    done: 'Reply deleted.',
    after: reply.reload,
  })
  return (
    <LoadedContent of={reply}>
      {({ set: is }) => (
        <Section
          title="Reply to requests"
          actions={
            is && (
              <ConfirmButton
                question="Requests get the default reply again."
                isBusy={remove.isBusy}
                onConfirm={remove.run}
              >
                Restore the default reply
              </ConfirmButton>
            )
          }
        >
          <p role="status">{is ? <Current of={is} /> : 'Requests get the default reply, {"status": true}.'}</p>
          <Form
            key={JSON.stringify(is)}
            fields={fieldsOf(is)}
            submit="Set reply"
            onSubmit={set.run}
            isBusy={set.isBusy}
            error={set.error}
            keeps
          />
        </Section>
      )}
    </LoadedContent>
  )
}

function Current({ of: { status = 200, times, remaining, method, path } }: { of: Canned }) {
  return (
    <>
      {method ? `Requests with ${method.toUpperCase()}` : 'Requests'} {path && `to ${path} `}get{' '}
      <State of={String(status)} />
      {times === null ? ' without limit.' : `, ${remaining} more of ${times}.`}
    </>
  )
}

const fieldsOf = (is?: Canned): FormField[] => [
  { name: 'status', label: 'Status', kind: 'number', value: is?.status ?? 200 },
  {
    name: 'headers',
    label: 'Headers',
    kind: 'json',
    value: JSON.stringify(is?.headers ?? {}),
    help: 'JSON, such as {"x-answer": "42"}',
  },
  { name: 'body', label: 'Body', kind: 'area', value: is?.body },
  {
    name: 'json',
    label: 'or a JSON body',
    kind: 'json',
    value: is?.json === undefined ? '' : JSON.stringify(is.json, null, 2),
  },
  { name: 'delay', label: 'Delay', kind: 'number', value: is?.delay, help: 'Milliseconds before the reply' },
  {
    name: 'times',
    label: 'Times',
    kind: 'number',
    value: is?.times ?? '',
    help: 'Number of requests. Default: no limit',
  },
  { name: 'method', label: 'Only for method', value: is?.method ?? '', help: 'Default: all methods' },
  {
    name: 'path',
    label: 'Only for path',
    value: is?.path ?? '',
    help: 'A * at the end matches a prefix. Default: all paths',
  },
]

/** The canned reply of a space; undefined if none is set, for which the API returns 404. */
async function find(inSpace: { space?: string }, signal: AbortSignal): Promise<Canned | undefined> {
  try {
    return (await q().catcher.get('/_requests_/reply', inSpace, { signal })).reply
  } catch (error) {
    if (error instanceof QuartermasterError && error.status === 404) return undefined
    throw error
  }
}
