// The list of keys, with rotation and deletion.
import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { usePaged } from '../../paged.ts'
import { Button, State, Time } from '../../parts/bits.tsx'
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { More } from '../../parts/more.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { listOf } from './scopes.tsx'
import type { ShownSecret } from './secret.tsx'

type Key = Reply<'access', 'get', '/keys'>['keys'][number] & { parent_id?: string }

const size = 50

interface KeysProps {
  /** Increases when a key was created, so that the list is loaded again. */
  round: number
  onSecret: (secret: ShownSecret) => void
}

export function Keys({ round, onSecret }: KeysProps) {
  const { loaded, more, drop } = usePaged<Key>(
    async (after, signal) => {
      const { keys } = await q().access.get('/keys', { limit: size, ...(after && { after }) }, { signal })
      return { rows: keys, next: keys.length === size ? keys.at(-1)!.name : undefined }
    },
    ({ id }) => id,
    [round],
  )
  return (
    <LoadedContent of={loaded}>
      {({ rows, next }) => (
        <>
          <Table
            label="Keys"
            rows={rows}
            keyOf={({ id }) => id}
            empty="No keys. AUTH_TOKENS are root keys, which are not listed."
            columns={[
              { title: 'Name', of: ({ name }) => name },
              { title: 'Scopes', of: ({ scopes }) => <Lines of={scopes} /> },
              { title: 'Bounds', of: ({ bounds }) => <Lines of={listOf(bounds)} /> },
              {
                title: 'Requests per minute',
                of: ({ requests_per_minute: limit }) => limit ?? 'no limit',
                isFigure: true,
              },
              { title: 'Expires', of: (key) => <Expiry of={key} /> },
              { title: 'Last used', of: ({ last_used_at: used }) => (used ? <Time of={used} /> : 'never') },
              { title: 'Created', of: ({ created_at }) => <Time of={created_at} /> },
              { title: 'Created by', of: ({ parent_id: id }) => creatorOf(id, rows) },
              {
                title: 'Action',
                of: (key) => (
                  <Actions of={key} onSecret={onSecret} onDeleted={() => drop(key.id)} reload={loaded.reload} />
                ),
              },
            ]}
          />
          <div class="actions">
            <More next={next} action={more} />
            <Button isBusy={loaded.isLoading} onClick={loaded.reload}>
              Refresh
            </Button>
          </div>
        </>
      )}
    </LoadedContent>
  )
}

/** Name of the key that created another one, or its id if the key is on another page. */
const creatorOf = (id: string | undefined, rows: Key[]) =>
  id === undefined ? 'a root token' : (rows.find((row) => row.id === id)?.name ?? id)

function Lines({ of }: { of: string[] }) {
  if (of.length === 0) return <>–</>
  return of.map((line) => (
    <div key={line}>
      <code>{line}</code>
    </div>
  ))
}

function Expiry({ of: { expires_at } }: { of: Key }) {
  if (!expires_at) return <>never</>
  const isPast = Date.parse(`${expires_at.replace(' ', 'T')}Z`) <= Date.now()
  return isPast ? <State of="expired" /> : <Time of={expires_at} />
}

interface ActionsProps {
  of: Key
  onSecret: KeysProps['onSecret']
  onDeleted: () => void
  reload: () => void
}

function Actions({ of: { id, name }, onSecret, onDeleted, reload }: ActionsProps) {
  const [isRotating, setRotating] = useState(false)
  const rotate = useAction(
    ({ overlap }: FormValues) => q().access.post('/key/rotate', { id, overlap: Number(overlap) }),
    {
      done: 'Key rotated.',
      after: ({ secret }) => {
        setRotating(false)
        onSecret({ title: `The new secret of ${name}`, kind: 'secret', text: secret })
      },
    },
  )
  const remove = useAction(() => q().access.delete('/key', { id }), {
    done: 'Key deleted.',
    after: () => {
      onDeleted()
      reload()
    },
  })
  return (
    <div class="actions">
      <Button label={`Rotate ${name}`} onClick={() => setRotating(true)}>
        Rotate
      </Button>
      {isRotating && (
        <Dialog title={`Rotate ${name}`} onClose={() => setRotating(false)}>
          <p>The key gets a new secret. Its tokens stay valid.</p>
          <Form
            fields={overlapFields}
            submit="Rotate"
            onSubmit={rotate.run}
            isBusy={rotate.isBusy}
            error={rotate.error}
          />
        </Dialog>
      )}
      <ConfirmButton
        label={`Delete ${name}`}
        question={`The key ${name}, the keys that it created, and all their tokens are refused within 30 seconds.`}
        isBusy={remove.isBusy}
        onConfirm={remove.run}
      >
        Delete
      </ConfirmButton>
    </div>
  )
}

const overlapFields = [
  {
    name: 'overlap',
    label: 'The previous secret stays valid for',
    kind: 'choice' as const,
    options: [
      { value: '0', label: 'no time: it is refused within 30 seconds' },
      { value: '3600', label: 'an hour' },
      { value: '86400', label: 'a day' },
      { value: '604800', label: 'a week' },
    ],
    value: '86400',
  },
]
