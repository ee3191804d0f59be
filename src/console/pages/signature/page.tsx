import { Time } from '../../parts/bits.tsx'
import { Form } from '../../parts/form.tsx'
import { LoadedContent, Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { go, hrefOf, type PageOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { nameOf } from './signer.ts'
import { Versions } from './versions.tsx'

const size = 50

/**
 * The signature page of the console: the list of signatures, or the versions of the signature whose document and thread are in the
 * path.
 */
export default function Signatures({ path: [document, thread], query }: PageOf) {
  if (document && thread)
    return (
      <Page
        title={`Signature: ${document}`}
        about={`Thread: ${thread}`}
        actions={<a href={hrefOf(['signature'])}>All signatures</a>}
      >
        <Versions document={document} thread={thread} />
      </Page>
    )
  return (
    <Page title="Signatures" about="Signatures of documents, with all their versions.">
      <List query={query} />
    </Page>
  )
}

function List({ query }: { query: URLSearchParams }) {
  const [document, thread, tags] = ['document', 'thread', 'tags'].map((name) => query.get(name) ?? '')
  const offset = Number(query.get('offset')) || 0
  const signatures = useData(
    (signal) => {
      const filters = {
        ...(document && { document }),
        ...(thread && { thread }),
        ...(tags && { tags: tags.split(',') }),
      }
      return q().signature.get('/signatures', { ...filters, limit: size, offset, count: true }, { signal })
    },
    [document, thread, tags, offset],
    { every: 10_000 },
  )
  return (
    <>
      <Form
        key={`${document} ${thread} ${tags}`}
        isInline
        keeps
        fields={[
          { name: 'document', label: 'Document', value: document },
          { name: 'thread', label: 'Thread', value: thread },
          { name: 'tags', label: 'Any of these tags', kind: 'list', value: tags },
        ]}
        submit="Apply"
        onSubmit={async (values) => {
          go(['signature'], Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])))
          return true
        }}
      />
      <LoadedContent of={signatures}>
        {({ signatures: rows, nb_results, next_offset }) => (
          <>
            <Table
              label="Signatures"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No signatures found. Save one with POST /signature/signature."
              columns={[
                {
                  title: 'Document',
                  of: (row) => <a href={hrefOf(['signature', row.document, row.thread])}>{row.document}</a>,
                },
                { title: 'Thread', of: ({ thread }) => thread },
                { title: 'Version', isFigure: true, of: ({ version }) => version },
                { title: 'Signed by', of: ({ signers }) => signers.map(nameOf).join('; ') },
                { title: 'Tags', of: ({ tags }) => tags.join(', ') },
                { title: 'Format', of: ({ format }) => format },
                { title: 'Updated', of: ({ updated_at }) => <Time of={updated_at} /> },
              ]}
            />
            <Pager
              offset={offset}
              size={next_offset === undefined ? size : next_offset - offset}
              total={nb_results ?? rows.length}
              onTurn={(to) => go(['signature'], { document, thread, tags, offset: to > 0 ? String(to) : undefined })}
            />
          </>
        )}
      </LoadedContent>
    </>
  )
}
