// Tab of the bus page that lists, grants and revokes the access of users to collections.
import { useState } from 'preact/hooks'
import { State } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

/** Filter of the list: the id of a user or a collection. */
interface AccessFilter {
  client: string | null
  collection: string | null
}

const size = 50
/** Number of users and of collections that the form offers: the maximum page size of the API. */
const maxOptions = 1_000

/** The list of access, which can be filtered and revoked, with the form that grants access. */
export function Accesses({ client, collection }: AccessFilter) {
  const [offset, setOffset] = useState(0)
  const names = useData(async (signal) => {
    const [{ clients }, { collections }] = await Promise.all([
      q().bus.get('/clients', { limit: maxOptions }, { signal }),
      q().bus.get('/collections', { limit: maxOptions }, { signal }),
    ])
    return { clients: optionsOf(clients), collections: optionsOf(collections) }
  }, [])
  const accesses = useData(
    (signal) => {
      const chosen = {
        ...(client && { client: Number(client) }),
        ...(collection && { collection: Number(collection) }),
      }
      return q().bus.get('/accesses', { ...chosen, limit: size, offset, count: true }, { signal })
    },
    [client, collection, offset],
    { every: 10_000 },
  )
  const grant = useAction(
    ({ client, collection, level }: FormValues) =>
      q().bus.post('/access', {
        client: Number(client),
        collection: Number(collection),
        level: level === 'write' ? 'write' : 'read',
      }),
    { done: 'Access granted.', after: accesses.reload },
  )
  return (
    <>
      {(client || collection) && (
        <p>
          Only access {client ? 'of one user' : 'to one collection'}. <a href={hrefOf(['bus', 'access'])}>All access</a>
        </p>
      )}
      <LoadedContent of={accesses}>
        {({ accesses: rows, nb_results }) => (
          <>
            <Table
              label="Access"
              rows={rows}
              keyOf={({ client_name, collection_name }) => `${client_name} ${collection_name}`}
              empty="No access granted. Administrators have access to everything."
              columns={[
                { title: 'User', of: ({ client_name }) => client_name },
                { title: 'Collection', of: ({ collection_name }) => collection_name },
                { title: 'Level', of: ({ level }) => <State of={level === 'write' ? 'read and write' : 'read'} /> },
                { title: 'Action', of: (row) => <Revoke of={row} reload={accesses.reload} /> },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? rows.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
      <LoadedContent of={names}>
        {({ clients, collections }) => (
          <div class="split">
            <Section title="Grant access">
              <Form
                fields={[
                  { name: 'client', label: 'User', kind: 'choice', options: clients, value: client ?? undefined },
                  {
                    name: 'collection',
                    label: 'Collection',
                    kind: 'choice',
                    options: collections,
                    value: collection ?? undefined,
                  },
                  {
                    name: 'level',
                    label: 'Level',
                    kind: 'choice',
                    options: ['read', { value: 'write', label: 'read and write' }],
                  },
                ]}
                submit="Grant"
                onSubmit={grant.run}
                isBusy={grant.isBusy}
                error={grant.error}
              />
            </Section>
            <Section title="Show">
              <Choice label="Access of" options={clients} value={client} param="client" any="every user" />
              <Choice
                label="Access to"
                options={collections}
                value={collection}
                param="collection"
                any="every collection"
              />
            </Section>
          </div>
        )}
      </LoadedContent>
    </>
  )
}

interface Entry {
  id: number
  name: string
}

const optionsOf = (rows: Entry[]) => rows.map(({ id, name }) => ({ value: String(id), label: name }))

interface ChoiceProps {
  label: string
  options: ReturnType<typeof optionsOf>
  value: string | null
  param: keyof AccessFilter
  any: string
}

function Choice({ label, options, value, param, any }: ChoiceProps) {
  return (
    <p>
      <label>
        {label}{' '}
        <select
          value={value ?? ''}
          onChange={({ currentTarget }) => go(['bus', 'access'], { [param]: currentTarget.value })}
        >
          <option value="">{any}</option>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}

function Revoke({ of: row, reload }: { of: { client_name: string; collection_name: string }; reload: () => void }) {
  const { client_name, collection_name } = row
  const revoke = useAction(() => q().bus.delete('/access', { client_name, collection_name }), {
    done: 'Access revoked.',
    after: reload,
  })
  return (
    <ConfirmButton
      label={`Revoke access of ${client_name} to ${collection_name}`}
      question={`${client_name} can no longer read or write ${collection_name}.`}
      isBusy={revoke.isBusy}
      onConfirm={revoke.run}
    >
      Revoke
    </ConfirmButton>
  )
}
