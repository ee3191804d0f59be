import { useState } from 'preact/hooks'
import { Time } from '../../parts/bits.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Page, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { go, hrefOf, type PageOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import './page.css'
import { NewRecord } from './new.tsx'
import { Newest } from './newest.tsx'
import { Recipient } from './recipient.tsx'

/** Collections of the feed, the newest records of a collection, and the records of a recipient. */
export default function Feed({ path: [collection, part = 'newest', recipient], query }: PageOf) {
  if (!collection)
    return (
      <Page title="Feed" about="Records in collections, each addressed to a recipient.">
        <Collections />
      </Page>
    )
  const tabs = {
    Newest: hrefOf(['feed', collection]),
    Recipient: hrefOf(['feed', collection, 'of', ...(recipient ? [recipient] : [])]),
    'New record': hrefOf(['feed', collection, 'new', ...(recipient ? [recipient] : [])]),
  }
  return (
    <Page title={`Feed: ${collection}`} actions={<a href={hrefOf(['feed'])}>All collections</a>}>
      <Tabs
        label={`Collection ${collection}`}
        tabs={tabs}
        current={{ newest: 'Newest', of: 'Recipient', new: 'New record' }[part] ?? ''}
      />
      {part === 'newest' && <Newest collection={collection} />}
      {part === 'of' && <Recipient {...{ collection, recipient, query }} />}
      {part === 'new' && <NewRecord {...{ collection, recipient }} />}
    </Page>
  )
}

const size = 50

function Collections() {
  const [offset, setOffset] = useState(0)
  const collections = useData(
    (signal) => q().feed.get('/collections', { limit: size, offset, count: true }, { signal }),
    [offset],
  )
  const create = useAction(
    async ({ name }: FormValues) => {
      await q().feed.post('/collection', { name: String(name) })
      return String(name)
    },
    { done: 'Collection created.', after: (name) => go(['feed', name]) },
  )
  return (
    <>
      <Section title="Collections">
        <LoadedContent of={collections}>
          {({ collections: rows, nb_results }) => (
            <>
              <Table
                label="Collections"
                rows={rows}
                keyOf={({ name }) => name}
                empty="No collections yet. Create one with the form below."
                columns={[
                  { title: 'Collection', of: ({ name }) => <a href={hrefOf(['feed', name])}>{name}</a> },
                  { title: 'Created', of: ({ created_at }) => <Time of={created_at} /> },
                ]}
              />
              <Pager offset={offset} size={size} total={nb_results ?? rows.length} onTurn={setOffset} />
            </>
          )}
        </LoadedContent>
      </Section>
      <Section title="New collection">
        <Form
          fields={[
            {
              name: 'name',
              label: 'Name',
              isRequired: true,
              help: '1 to 48 characters: a-z, 0-9 and _, starting with a letter',
            },
          ]}
          submit="Create collection"
          onSubmit={create.run}
          isBusy={create.isBusy}
          error={create.error}
        />
      </Section>
    </>
  )
}
