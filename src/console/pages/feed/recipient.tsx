import { useState } from 'preact/hooks'
import { Button } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData, useSettled } from '../../use.ts'
import { Live } from './live.tsx'
import { Records } from './records.tsx'

interface RecipientProps {
  collection: string
  recipient: string | undefined
  query: URLSearchParams
}

/** The records of a recipient, after a name is entered. */
export function Recipient({ collection, recipient, query }: RecipientProps) {
  return (
    <>
      <Form
        key={recipient}
        fields={[{ name: 'recipient', label: 'Recipient', isRequired: true, value: recipient }]}
        submit="Show"
        keeps
        onSubmit={async ({ recipient }) => {
          go(['feed', collection, 'of', String(recipient)])
          return true
        }}
      />
      {recipient && (
        <Of
          key={`${collection}/${recipient}`}
          {...{ collection, recipient }}
          isUnread={query.get('show') === 'unread'}
          first={query.get('search') ?? ''}
        />
      )}
    </>
  )
}

interface OfProps {
  collection: string
  recipient: string
  isUnread: boolean
  /** Initial search text. */
  first: string
}

const size = 25

function Of({ collection, recipient, isUnread, first }: OfProps) {
  const [offset, setOffset] = useState(0)
  const [typed, setTyped] = useState(first)
  const search = useSettled(typed).trim()
  const owner = { collection, recipient }
  const filter = { ...owner, ...(isUnread && { is_read: false }), ...(search && { search }) }
  const records = useData(
    (signal) => q().feed.get('/records', { ...filter, limit: size, offset, count: true }, { signal }),
    [filter, offset],
  )
  const counts = useData(
    async (signal) => {
      const [all, unread] = await Promise.all([
        q().feed.get('/records/count', owner, { signal }),
        q().feed.get('/records/count', { ...owner, is_read: false }, { signal }),
      ])
      return { all: all.records, unread: unread.records }
    },
    [owner],
  )
  const reload = () => {
    records.reload()
    counts.reload()
  }
  const readAll = useAction(() => q().feed.post('/records/read', owner), {
    done: 'All records are read.',
    after: reload,
  })
  const removeAll = useAction(() => q().feed.delete('/records', owner), {
    done: ({ deleted }) => (deleted === 1 ? '1 record deleted.' : `${deleted} records deleted.`),
    after: reload,
  })
  return (
    <>
      <p class="actions">
        <span role="status">
          {counts.data
            ? `${counts.data.all} ${counts.data.all === 1 ? 'record' : 'records'}, ${counts.data.unread} unread`
            : 'Loading…'}
        </span>
        <Button isBusy={readAll.isBusy} onClick={() => readAll.run()}>
          Mark all read
        </Button>
        <ConfirmButton
          question={`This deletes all records of ${recipient} in ${collection} permanently.`}
          isBusy={removeAll.isBusy}
          onConfirm={() => removeAll.run()}
        >
          Delete all
        </ConfirmButton>
      </p>
      <Live {...owner} onEvent={reload} />
      <div class="fields inline">
        <Typed
          label="Search"
          value={typed}
          onInput={(text) => {
            setOffset(0)
            setTyped(text)
          }}
        />
        <label>
          <input
            type="checkbox"
            checked={isUnread}
            onChange={({ currentTarget: { checked } }) => {
              setOffset(0)
              location.replace(hrefOf(['feed', collection, 'of', recipient], { show: checked ? 'unread' : undefined }))
            }}
          />{' '}
          Unread only
        </label>
      </div>
      <LoadedContent of={records}>
        {({ records: rows, nb_results }) => (
          <>
            <Records {...{ collection, rows }} empty="No records found." onChanged={reload} />
            <Pager offset={offset} size={size} total={nb_results ?? rows.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
    </>
  )
}
