import { usePaged } from '../../paged.ts'
import { Form } from '../../parts/form.tsx'
import { More } from '../../parts/more.tsx'
import { LoadedContent, Page, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { go, hrefOf, type PageOf } from '../../route.ts'
import { q } from '../../session.ts'
import { BadgesOf } from './user.tsx'

/** The badge page of the console: collections, users of a collection, and the badges of a user. */
export default function Badges({ path: [collection, user], query }: PageOf) {
  const isOne = collection !== undefined && user !== undefined
  return (
    <Page
      title={isOne ? `Badges: ${user}` : 'Badges'}
      about="Named badges of users in collections, counted by name. A badge a/b also counts under a."
      actions={collection !== undefined && <a href={hrefOf(['badge'])}>All collections</a>}
    >
      <Form
        key={`${collection}/${user}`}
        fields={[
          { name: 'collection', label: 'Collection', isRequired: true, value: collection },
          { name: 'user', label: 'User', value: user, help: 'Empty: lists all users of the collection' },
        ]}
        submit="Show"
        keeps
        onSubmit={async ({ collection, user }) => {
          go(['badge', String(collection), ...(typeof user === 'string' ? [user] : [])])
          return true
        }}
      />
      {collection === undefined && <Collections />}
      {collection !== undefined && user === undefined && <Users collection={collection} />}
      {isOne && (
        <BadgesOf key={`${collection}/${user}`} {...{ collection, user }} name={query.get('name') ?? undefined} />
      )}
    </Page>
  )
}

const limit = 50

const pageOf = <Row,>(rows: Row[], nameOf: (row: Row) => string) => {
  const last = rows.at(-1)
  return { rows, next: rows.length === limit && last ? nameOf(last) : undefined }
}

function Collections() {
  const { loaded, more } = usePaged(
    async (after, signal) => {
      const { collections } = await q().badge.get('/collections', { limit, ...(after && { after }) }, { signal })
      return pageOf(collections, ({ name }) => name)
    },
    ({ name }) => name,
    [],
  )
  return (
    <Section title="Collections">
      <LoadedContent of={loaded}>
        {({ rows, next }) => (
          <>
            <Table
              label="Collections"
              rows={rows}
              keyOf={({ name }) => name}
              empty="No badges yet. Enter a collection and a user above to add one."
              columns={[{ title: 'Collection', of: ({ name }) => <a href={hrefOf(['badge', name])}>{name}</a> }]}
            />
            <More next={next} action={more} />
          </>
        )}
      </LoadedContent>
    </Section>
  )
}

function Users({ collection }: { collection: string }) {
  const { loaded, more } = usePaged(
    async (after, signal) => {
      const { users } = await q().badge.get('/users', { collection, limit, ...(after && { after }) }, { signal })
      return pageOf(users, ({ user }) => user)
    },
    ({ user }) => user,
    [collection],
  )
  return (
    <Section title={`Users in ${collection}`}>
      <LoadedContent of={loaded}>
        {({ rows, next }) => (
          <>
            <Table
              label="Users"
              rows={rows}
              keyOf={({ user }) => user}
              empty="No user has badges in this collection."
              columns={[
                { title: 'User', of: ({ user }) => <a href={hrefOf(['badge', collection, user])}>{user}</a> },
                { title: 'Badges', isFigure: true, of: ({ count }) => count },
              ]}
            />
            <More next={next} action={more} />
          </>
        )}
      </LoadedContent>
    </Section>
  )
}
