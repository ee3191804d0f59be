// The list of search indexes, the form that creates one, and the settings of an index.
import { useState } from 'preact/hooks'
import { sizeOf, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Facts, Table } from '../../parts/table.tsx'
import { go, hrefOf } from '../../route.ts'
import { useAction, useData } from '../../use.ts'
import { type SearchVariant, searchOf } from './variant.ts'

const pageSize = 25

/** Lists the indexes of a component with their sizes. */
export function Indexes({ variant }: { variant: SearchVariant }) {
  const [offset, setOffset] = useState(0)
  const indexes = useData(
    async (signal) => {
      const search = searchOf(variant)
      const page = await search.get('/indexes', { limit: pageSize, offset, count: true }, { signal })
      const requests = page.indexes.map(({ name }) => search.get('/index', { name }, { signal }))
      // Ignores the error of an index that was deleted after it was listed.
      const results = await Promise.allSettled(requests)
      return {
        ...page,
        indexes: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.index] : [])),
      }
    },
    [variant, offset],
  )
  return (
    <Section title="Indexes">
      <LoadedContent of={indexes}>
        {({ indexes: rows, nb_results }) => (
          <>
            <Table
              label="Indexes"
              rows={rows}
              keyOf={({ name }) => name}
              empty="No indexes yet. Create one with the form below."
              columns={[
                { title: 'Index', of: ({ name }) => <a href={hrefOf(['search', variant, name])}>{name}</a> },
                { title: 'Documents', isFigure: true, of: ({ documents }) => documents },
                { title: 'Size', isFigure: true, of: ({ bytes }) => sizeOf(bytes) },
                { title: 'Shards', isFigure: true, of: ({ shards }) => shards },
                { title: 'Created', of: ({ created_at }) => <Time of={created_at} /> },
                {
                  title: 'Action',
                  of: ({ name }) => <DeleteIndex {...{ variant, name }} onDeleted={indexes.reload} />,
                },
              ]}
            />
            <Pager offset={offset} size={pageSize} total={nb_results ?? rows.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
    </Section>
  )
}

interface DeleteProps {
  variant: SearchVariant
  name: string
  onDeleted: () => void
}

function DeleteIndex({ variant, name, onDeleted }: DeleteProps) {
  const remove = useAction(() => searchOf(variant).delete('/index', { name }), {
    done: 'Index deleted',
    after: onDeleted,
  })
  return (
    <ConfirmButton
      label={`Delete ${name}`}
      question={`The index ${name} and all its documents will be deleted. This cannot be undone.`}
      isBusy={remove.isBusy}
      onConfirm={() => remove.run()}
    >
      Delete
    </ConfirmButton>
  )
}

/** Form that creates an index. */
export function NewIndex({ variant }: { variant: SearchVariant }) {
  const create = useAction(
    async ({ name, shards, stemmer, stopwords }: FormValues) => {
      const words = typeof stopwords === 'string' && /[\s,]/.test(stopwords) ? stopwords.split(/[\s,]+/) : stopwords
      const params = { name, shards, stemmer, stopwords: words } as { name: string }
      await searchOf(variant).post('/index', params)
      return params.name
    },
    { done: 'Index created', after: (name) => go(['search', variant, name, 'documents']) },
  )
  return (
    <Section title="New index">
      <Form
        fields={[
          { name: 'name', label: 'Name', isRequired: true, help: 'a-z, 0-9 and _, beginning with a letter' },
          {
            ...{ name: 'shards', label: 'Shards', kind: 'number' },
            help: '1 to 16, by default 1. Cannot be changed later',
          },
          ...(variant === 'fulltext'
            ? [
                {
                  name: 'stemmer',
                  label: 'Stemmer',
                  help: 'A language such as russian, or none. By default english',
                },
                {
                  ...{ name: 'stopwords', label: 'Stop words' },
                  help: 'A language, none, or the words separated by commas. By default english',
                },
              ]
            : []),
        ]}
        submit="Create index"
        onSubmit={create.run}
        isBusy={create.isBusy}
        error={create.error}
      />
    </Section>
  )
}

/** Settings and size of an index. */
export function Index({ variant, index: name }: { variant: SearchVariant; index: string }) {
  const index = useData((signal) => searchOf(variant).get('/index', { name }, { signal }), [variant, name])
  return (
    <LoadedContent of={index}>
      {({ index: { documents, bytes, shards, created_at, stemmer, stopwords } }) => (
        <>
          <Facts
            of={{
              Documents: documents,
              Size: sizeOf(bytes),
              Shards: shards,
              Stemmer: stemmer,
              'Stop words': Array.isArray(stopwords) ? stopwords.join(', ') : stopwords,
              Created: <Time of={created_at} />,
            }}
          />
          <DeleteIndex {...{ variant, name }} onDeleted={() => go(['search', variant])} />
        </>
      )}
    </LoadedContent>
  )
}
