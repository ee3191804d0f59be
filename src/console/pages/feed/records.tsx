// Table of feed records, with actions to open, mark and delete them.
import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Button, Json, State, Time } from '../../parts/bits.tsx'
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

export type ShownRecord = Reply<'feed', 'get', '/records'>['records'][number]

interface RecordsProps {
  collection: string
  rows: ShownRecord[]
  empty: string
  /** Whether the records have several recipients. */
  isMixed?: boolean
  /** Called after a record was changed or deleted. */
  onChanged: (gone?: number) => void
}

export function Records({ collection, rows, empty, isMixed = false, onChanged }: RecordsProps) {
  const [opened, setOpened] = useState<number>()
  const mark = useAction(
    (id: number, isRead: boolean) =>
      isRead ? q().feed.post('/record/read', { collection, id }) : q().feed.post('/record/unread', { collection, id }),
    { after: () => onChanged() },
  )
  const remove = useAction(
    async (id: number) => {
      await q().feed.delete('/record', { collection, id })
      return id
    },
    { done: 'Record deleted.', after: onChanged },
  )
  const recipient: Column<ShownRecord> = {
    title: 'Recipient',
    of: ({ recipient }) => <a href={hrefOf(['feed', collection, 'of', recipient])}>{recipient}</a>,
  }
  return (
    <>
      <Table
        label="Records"
        rows={rows}
        keyOf={({ id }) => id}
        empty={empty}
        columns={[
          { title: 'State', of: ({ is_read }) => <State of={is_read ? 'read' : 'unread'} /> },
          {
            title: 'Record',
            of: ({ id, title, text }) => (
              <button type="button" class="plain record" onClick={() => setOpened(id)}>
                <b>{cut(title ?? `Record ${id}`)}</b> {text && cut(text)}
              </button>
            ),
          },
          ...(isMixed ? [recipient] : []),
          { title: 'Sender', of: ({ sender }) => sender ?? '–' },
          { title: 'Thread', of: ({ thread }) => thread ?? '–' },
          { title: 'Time', of: ({ created_at }) => <Time of={created_at} /> },
          {
            title: 'Action',
            of: ({ id, is_read }) => (
              <div class="actions">
                <Button
                  label={`Mark ${is_read ? 'unread' : 'read'}: ${id}`}
                  isBusy={mark.isBusy}
                  onClick={() => mark.run(id, !is_read)}
                >
                  Mark {is_read ? 'unread' : 'read'}
                </Button>
                <ConfirmButton
                  label={`Delete ${id}`}
                  question="This deletes the record permanently."
                  isBusy={remove.isBusy}
                  onConfirm={() => remove.run(id)}
                >
                  Delete
                </ConfirmButton>
              </div>
            ),
          },
        ]}
      />
      {opened !== undefined && (
        <OneRecord key={opened} {...{ collection }} id={opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

const maxLength = 200

const cut = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)

function OneRecord({ collection, id, onClose }: { collection: string; id: number; onClose: () => void }) {
  const record = useData((signal) => q().feed.get('/record', { collection, id }, { signal }), [collection, id])
  return (
    <Dialog title={`Record ${id}`} onClose={onClose}>
      <LoadedContent of={record}>{(data) => <Json of={data.record} label="The record" />}</LoadedContent>
    </Dialog>
  )
}
