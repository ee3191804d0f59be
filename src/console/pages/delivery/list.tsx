import { useRef, useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Progress, State, Time } from '../../parts/bits.tsx'
import { LoadedContent, Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData, useSettled } from '../../use.ts'
import { channelsOf, isLive, type ShownReport, stateOf, totalsOf } from './states.ts'

const size = 20

const statuses = ['started', 'finished', 'canceled'] as const
type Status = (typeof statuses)[number]
const isStatus = (text: string | null): text is Status => statuses.some((status) => status === text)

/** All deliveries, newest first. Running ones are polled. */
export function Deliveries({ query }: { query: URLSearchParams }) {
  const [name, setName] = useState(query.get('name') ?? '')
  const [isRunning, setRunning] = useState(false)
  // Cache of the reports of ended deliveries, which do not change.
  const ended = useRef(new Map<number, ShownReport>())
  const part = useSettled(name.trim())
  const status = query.get('status')
  const chosen = isStatus(status) ? status : undefined
  const offset = Number(query.get('offset')) || 0
  const deliveries = useData(
    async (signal) => {
      const filter = { ...(part && { name: part }), ...(chosen && { status: chosen }) }
      const page = await q().delivery.get('/deliveries', { ...filter, limit: size, offset, count: true }, { signal })
      setRunning(page.deliveries.some(({ status }) => status === 'started'))
      const rows = await Promise.all(page.deliveries.map((one) => counted(one, ended.current, signal)))
      return { rows, total: page.nb_results ?? rows.length }
    },
    [part, chosen, offset],
    { every: isRunning ? 1_500 : 10_000 },
  )
  const turn = (offset: number) => go(['delivery'], { name: part, status: chosen, offset: offset ? `${offset}` : '' })
  return (
    <Page
      title="Deliveries"
      about="Bulk messages by email, SMS and feed to recipients that your URL lists."
      actions={
        <a class="button" href={hrefOf(['delivery', 'new'])}>
          New delivery
        </a>
      }
    >
      <div class="fields inline">
        <Typed
          label="Name"
          value={name}
          onInput={(name) => {
            setName(name)
            if (offset > 0) go(['delivery'], { status: chosen })
          }}
        />
        <div class="field">
          <label for="delivery-status">State</label>
          <select
            id="delivery-status"
            value={chosen ?? ''}
            onChange={({ currentTarget }) => go(['delivery'], { name: part, status: currentTarget.value })}
          >
            <option value="">any</option>
            {statuses.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </div>
      </div>
      <LoadedContent of={deliveries}>
        {({ rows, total }) => (
          <>
            <Table
              label="Deliveries"
              rows={rows}
              keyOf={({ id }) => id}
              empty={
                part || chosen ? 'No deliveries found.' : 'No deliveries yet. Try a new one with example recipients.'
              }
              columns={[
                { title: 'Delivery', of: ({ id, name }) => <a href={hrefOf(['delivery', `${id}`])}>{name || id}</a> },
                { title: 'State', of: (row) => <State of={stateOf(row)} /> },
                {
                  title: 'Progress',
                  of: ({ name, progress }) => <Progress of={progress} label={`Progress of ${name}`} />,
                },
                { title: 'Messages', of: ({ report }) => (report ? <Counts of={report} /> : '–') },
                { title: 'Channels', of: (row) => channelsOf(row).join(', ') },
                { title: 'Started', of: ({ created_at }) => <Time of={created_at} /> },
              ]}
            />
            <Pager offset={offset} size={size} total={total} onTurn={turn} />
          </>
        )}
      </LoadedContent>
    </Page>
  )
}

type Listed = Reply<'delivery', 'get', '/deliveries'>['deliveries'][number]

/** A delivery with its present report, without it if the delivery was deleted meanwhile. */
async function counted(
  one: Listed,
  ended: Map<number, ShownReport>,
  signal: AbortSignal,
): Promise<Listed & { report?: ShownReport }> {
  const report = ended.get(one.id)
  if (report) return { ...one, report }
  const read = await q()
    .delivery.get('/delivery', { id: one.id }, { signal })
    .catch(() => undefined)
  if (!read) return one
  if (!isLive(read.delivery)) ended.set(one.id, read.delivery.report)
  return read.delivery
}

function Counts({ of }: { of: ShownReport }) {
  const { queued, sending, sent, skipped, failed, unknown } = totalsOf(of)
  const parts = { sent, 'to go': queued + sending, skipped, failed, unknown }
  const shown = Object.entries(parts).filter(([name, count]) => count > 0 || name === 'sent')
  return <>{shown.map(([name, count]) => `${count} ${name}`).join(', ')}</>
}
