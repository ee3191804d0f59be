import { useState } from 'preact/hooks'
import { sizeOf, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { Section, Shown } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Facts, Table } from '../../parts/table.tsx'
import { go, hrefOf } from '../../route.ts'
import { useAction, useData } from '../../use.ts'
import { type SearchVariant, searchOf } from './variant.ts'

const size = 25

/** All indexes of a variant, each with how large it is. */
export function Indexes({ variant }: { variant: SearchVariant }) {
  const [offset, setOffset] = useState(0)
  const indexes = useData(
    async (signal) => {
      const search = searchOf(variant)
      const page = await search.get('/indexes', { limit: size, offset, count: true }, { signal })
      const asked = page.indexes.map(({ name }) => search.get('/index', { name }, { signal }))
      // One may have been deleted in between.
      const told = await Promise.allSettled(asked)
      return { ...page, indexes: told.flatMap((one) => (one.status === 'fulfilled' ? [one.value.index] : [])) }
    },
    [variant, offset],
  )
  return (
    <Section title="Indexes">
      <Shown of={indexes}>
        {({ indexes: rows, nb_results }) => (
          <>
            <Table
              label="Indexes"
              rows={rows}
              keyOf={({ name }) => name}
              empty="There is no index. The form below makes one."
              columns={[
                { title: 'Index', of: ({ name }) => <a href={hrefOf(['search', variant, name])}>{name}</a> },
                { title: 'Documents', isFigure: true, of: ({ documents }) => documents },
                { title: 'Size', isFigure: true, of: ({ bytes }) => sizeOf(bytes) },
                { title: 'Shards', isFigure: true, of: ({ shards }) => shards },
                { title: 'Made', of: ({ created_at }) => <Time of={created_at} /> },
                {
                  title: 'Action',
                  of: ({ name }) => <DeleteIndex {...{ variant, name }} onGone={indexes.reload} />,
                },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? rows.length} onTurn={setOffset} />
          </>
        )}
      </Shown>
    </Section>
  )
}

interface DeleteProps {
  variant: SearchVariant
  name: string
  onGone: () => void
}

function DeleteIndex({ variant, name, onGone }: DeleteProps) {
  const remove = useAction(() => searchOf(variant).delete('/index', { name }), {
    done: 'The index is gone.',
    after: onGone,
  })
  return (
    <ConfirmButton
      label={`Delete ${name}`}
      question={`The index ${name} and all its documents are gone for good.`}
      isBusy={remove.isBusy}
      onConfirm={() => remove.run()}
    >
      Delete
    </ConfirmButton>
  )
}

/** Makes an index. */
export function NewIndex({ variant }: { variant: SearchVariant }) {
  const create = useAction(
    async ({ name, shards, stemmer, stopwords }: FormValues) => {
      const words = typeof stopwords === 'string' && /[\s,]/.test(stopwords) ? stopwords.split(/[\s,]+/) : stopwords
      const given = { name, shards, stemmer, stopwords: words } as { name: string }
      await searchOf(variant).post('/index', given)
      return given.name
    },
    { done: 'The index is there.', after: (name) => go(['search', variant, name, 'documents']) },
  )
  return (
    <Section title="New index">
      <Form
        fields={[
          { name: 'name', label: 'Name', isRequired: true, help: 'a-z, 0-9 and _, a letter first' },
          {
            ...{ name: 'shards', label: 'Shards', kind: 'number' },
            help: 'Over how many objects its documents are spread, 1 to 16, for good; 1 unless given',
          },
          ...(variant === 'fulltext'
            ? [
                {
                  name: 'stemmer',
                  label: 'Stemmer',
                  help: 'A language, such as russian, or none; english unless given',
                },
                {
                  ...{ name: 'stopwords', label: 'Stop words' },
                  help: 'A language, none, or the words themselves with commas between; english unless given',
                },
              ]
            : []),
        ]}
        submit="Make the index"
        onSubmit={create.run}
        isBusy={create.isBusy}
        error={create.error}
      />
    </Section>
  )
}

/** What an index was made with, and how large it is. */
export function Index({ variant, index: name }: { variant: SearchVariant; index: string }) {
  const index = useData((signal) => searchOf(variant).get('/index', { name }, { signal }), [variant, name])
  return (
    <Shown of={index}>
      {({ index: { documents, bytes, shards, created_at, stemmer, stopwords } }) => (
        <>
          <Facts
            of={{
              Documents: documents,
              Size: sizeOf(bytes),
              Shards: shards,
              Stemmer: stemmer,
              'Stop words': Array.isArray(stopwords) ? stopwords.join(', ') : stopwords,
              Made: <Time of={created_at} />,
            }}
          />
          <DeleteIndex {...{ variant, name }} onGone={() => go(['search', variant])} />
        </>
      )}
    </Shown>
  )
}
