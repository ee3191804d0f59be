// The badges of one user, on the badge page of the console.
import { useState } from 'preact/hooks'
import { Json, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { type Loaded, useAction, useData } from '../../use.ts'
import './page.css'
import { type Counter, countersOf } from './counters.ts'

interface Owner {
  collection: string
  user: string
}

/** Shows the badges of a user in a collection: counters by name, and a list of the newest badges. */
export function BadgesOf({ collection, user, name }: Owner & { name: string | undefined }) {
  const owner = { collection, user }
  const [round, setRound] = useState(0)
  const counters = useData((signal) => countersOf(owner, signal), [owner, round])
  const changed = () => setRound((before) => before + 1)
  return (
    <div class="split">
      <div>
        <Counters {...owner} name={name} counters={counters} onChanged={changed} />
        <Section title="New badge">
          <NewBadge {...owner} name={name} onChanged={changed} />
        </Section>
      </div>
      <List key={name} {...owner} name={name} round={round} />
    </div>
  )
}

interface CountersProps extends Owner {
  name: string | undefined
  counters: Loaded<{ counters: Counter[]; isPart: boolean }>
  onChanged: () => void
}

function Counters({ collection, user, name, counters, onChanged }: CountersProps) {
  const remove = useAction(
    (name: string | undefined) => q().badge.delete('/badges', { collection, user, ...(name && { name }) }),
    { done: ({ deleted }) => (deleted === 1 ? '1 badge deleted.' : `${deleted} badges deleted.`), after: onChanged },
  )
  return (
    <Section title="Counters">
      <LoadedContent of={counters}>
        {({ counters: rows, isPart }) => (
          <>
            <Table
              label="Counters"
              rows={rows}
              keyOf={({ path }) => path}
              current={name ?? ''}
              empty="No badges yet. Add one with the form below."
              columns={[
                {
                  title: 'Name',
                  of: ({ path, depth }) => (
                    <a
                      class="branch"
                      style={{ paddingInlineStart: `${Math.min(depth, 6)}rem` }}
                      href={hrefOf(['badge', collection, user], { name: path })}
                    >
                      {path === '' ? 'all' : path}
                    </a>
                  ),
                },
                { title: 'Badges', isFigure: true, of: ({ count }) => count },
                {
                  title: 'Action',
                  of: ({ path }) => (
                    <ConfirmButton
                      label={`Delete ${path || 'all'}`}
                      question={
                        path
                          ? `This deletes all badges at and below ${path} permanently.`
                          : 'This deletes all badges of the user permanently.'
                      }
                      isBusy={remove.isBusy}
                      onConfirm={() => remove.run(path || undefined)}
                    >
                      Delete
                    </ConfirmButton>
                  ),
                },
              ]}
            />
            {isPart && <p class="quiet">Shows the names of the newest 1,000 badges. There are more.</p>}
          </>
        )}
      </LoadedContent>
    </Section>
  )
}

function NewBadge({ collection, user, name, onChanged }: Owner & { name: string | undefined; onChanged: () => void }) {
  const add = useAction(
    (values: FormValues) => q().badge.post('/badge', { ...asParams<{ name: string }>(values), collection, user }),
    { done: 'Badge added.', after: onChanged },
  )
  return (
    <Form
      key={name}
      fields={[
        { name: 'name', label: 'Name', isRequired: true, value: name, help: 'A path, such as inbox/mail' },
        { name: 'payload', label: 'Payload', kind: 'json', help: 'A JSON object' },
      ]}
      submit="Add badge"
      onSubmit={add.run}
      isBusy={add.isBusy}
      error={add.error}
    />
  )
}

const size = 25

function List({ collection, user, name, round }: Owner & { name: string | undefined; round: number }) {
  const [offset, setOffset] = useState(0)
  const params = { collection, user, ...(name && { name }), limit: size, offset, count: true }
  const badges = useData((signal) => q().badge.get('/badges', params, { signal }), [params, round])
  return (
    <Section
      title={name ? `Badges ${name}` : 'Badges'}
      actions={name && <a href={hrefOf(['badge', collection, user])}>Show all names</a>}
    >
      <LoadedContent of={badges}>
        {({ badges: rows, nb_results }) => (
          <>
            <Table
              label="Badges"
              rows={rows.map((badge, i) => ({ ...badge, place: offset + i }))}
              keyOf={({ place }) => place}
              empty="No badges found."
              columns={[
                { title: 'Name', of: ({ name }) => name },
                { title: 'Time', of: ({ created_at }) => <Time of={created_at} /> },
                {
                  title: 'Payload',
                  of: ({ name, payload }) =>
                    Object.keys(payload).length === 0 ? '–' : <Json of={payload} label={`Payload of ${name}`} />,
                },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? rows.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
    </Section>
  )
}
