// Tab of the page of access: the audit log with filters, and the verification of a day.
import { useState } from 'preact/hooks'
import { manifests } from '#manifests'
import { usePaged } from '../../paged.ts'
import { Button, State, Time } from '../../parts/bits.tsx'
import { asParams, Form, type FormField } from '../../parts/form.tsx'
import { More } from '../../parts/more.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Facts, Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

interface Row {
  at: string
  component: string
  key: string
  operation: string
  object?: string
  request_id: string
  status: number
  address?: string
}

/** Parameters of the list: those of `GET /access/audit`. */
type AuditFilter = Record<string, string>

const size = 100

/** Calls an operation of the audit log. */
async function ask<Content>(path: string, params: object, signal?: AbortSignal): Promise<Content> {
  const response = await q().request('GET', `/access${path}`, params, { signal })
  return ((await response.json()) as { content: Content }).content
}

/** Maximum number of keys whose names are shown: the maximum page size of the API. */
const maxKeys = 1_000

export function Audit() {
  const [filter, setFilter] = useState<AuditFilter>({})
  const names = useData(async (signal) => {
    const { keys } = await q().access.get('/keys', { limit: maxKeys }, { signal })
    return new Map(keys.map(({ id, name }) => [id, name]))
  }, [])
  const { loaded, more } = usePaged<Row>(
    async (after, signal) => {
      const params = { ...filter, limit: size, ...(after && { after }) }
      const { rows, next } = await ask<{ rows: Row[]; next?: string }>('/audit', params, signal)
      return { rows, next }
    },
    (row) => keyOf(row),
    [filter],
  )
  return (
    <>
      <Section title="Calls">
        <p class="quiet">
          The newest day first. AUDIT decides which calls are recorded: by default those of the level manage, and
          deletions.
        </p>
        <Form
          fields={filterFields}
          submit="Filter"
          isInline
          keeps
          onSubmit={async (values) => {
            setFilter(asParams<AuditFilter>(values))
            return true
          }}
        />
        <LoadedContent of={loaded}>
          {({ rows, next }) => (
            <>
              <Table
                label="Calls"
                rows={rows}
                keyOf={keyOf}
                empty={next ? 'No calls in this part of the log.' : 'No calls.'}
                columns={[
                  { title: 'Time', of: ({ at }) => <Time of={at} /> },
                  { title: 'Key', of: ({ key }) => names.data?.get(key) ?? key },
                  { title: 'Component', of: ({ component }) => component },
                  { title: 'Operation', of: ({ operation }) => <code>{operation}</code> },
                  { title: 'Object', of: ({ object }) => object },
                  { title: 'Status', of: ({ status }) => <State of={String(status)} /> },
                  { title: 'Address', of: ({ address }) => address },
                  { title: 'Request id', of: ({ request_id }) => request_id },
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
      </Section>
      <Verification />
    </>
  )
}

const keyOf = ({ request_id, component, operation, at }: Row) => [request_id, component, operation, at].join(' ')

const components = [...manifests.map(({ name }) => name), 'gateway']

const filterFields: FormField[] = [
  {
    name: 'component',
    label: 'Component',
    kind: 'choice',
    options: [{ value: '', label: 'all components' }, ...components],
  },
  { name: 'key', label: 'Key', help: 'Id of a key, root, none, proof, or service: and a component' },
  { name: 'operation', label: 'Operation', help: 'Such as DELETE /feed/record' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'Until', kind: 'date' },
]

interface Verified {
  rows: number
  gaps: number
  valid: boolean
}

/** Verifies the hashes of a component's log of one day. */
function Verification() {
  const [result, setResult] = useState<Verified & { title: string }>()
  const verify = useAction(
    async (values: Record<string, unknown>) => {
      const { audit } = await ask<{ audit: Verified }>('/audit/verify', values)
      return { ...audit, title: `${values.component} on ${values.date}` }
    },
    { after: setResult },
  )
  return (
    <Section title="Verify a day">
      <p class="quiet">
        Computes the hashes of all rows again. A changed or removed row makes the log invalid; a gap is a batch of rows
        that was sent and is missing.
      </p>
      <Form
        fields={[
          { name: 'component', label: 'Component to verify', kind: 'choice', options: components },
          {
            name: 'date',
            label: 'Day (UTC)',
            isRequired: true,
            value: new Date().toISOString().slice(0, 10),
            help: 'YYYY-MM-DD',
          },
        ]}
        submit="Verify"
        isInline
        keeps
        onSubmit={verify.run}
        isBusy={verify.isBusy}
        error={verify.error}
      />
      {result && (
        <div role="status">
          <Facts
            of={{
              Log: result.title,
              State: <State of={result.valid ? 'valid' : 'invalid'} />,
              Rows: String(result.rows),
              Gaps: String(result.gaps),
            }}
          />
        </div>
      )}
    </Section>
  )
}
