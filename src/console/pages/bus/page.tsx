import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import { Accesses } from './access.tsx'
import { Collections } from './collections.tsx'
import { Documents } from './documents.tsx'
import { WithSecret } from './secret.tsx'
import { SendDocument } from './send.tsx'
import { Subscriptions } from './subscriptions.tsx'
import { Synchronisation } from './synchronisation.tsx'
import { Users } from './users.tsx'

/** Console page of the bus: its users, collections and access, and the documents of the collection in the path. */
export default function Bus({ path: [part = 'collections', collection, doing], query }: PageOf) {
  return (
    <Page
      title={part === 'collections' && collection ? `Bus: ${collection}` : 'Bus'}
      about="Accepts documents for private APIs and delivers them."
    >
      <WithSecret>
        <Tabs
          label="Bus"
          tabs={{
            Collections: hrefOf(['bus']),
            Users: hrefOf(['bus', 'users']),
            Access: hrefOf(['bus', 'access']),
            Subscriptions: hrefOf(['bus', 'subscriptions']),
            Synchronisation: hrefOf(['bus', 'synchronisation']),
          }}
          current={
            {
              collections: 'Collections',
              users: 'Users',
              access: 'Access',
              subscriptions: 'Subscriptions',
              synchronisation: 'Synchronisation',
            }[part] ?? ''
          }
        />
        {part === 'collections' && !collection && <Collections />}
        {part === 'collections' && collection && doing === 'send' && <SendDocument collection={collection} />}
        {part === 'collections' && collection && doing !== 'send' && (
          <Documents collection={collection} before={Number(query.get('before')) || 0} state={query.get('state')} />
        )}
        {part === 'users' && <Users />}
        {part === 'access' && <Accesses client={query.get('client')} collection={query.get('collection')} />}
        {part === 'subscriptions' && <Subscriptions />}
        {part === 'synchronisation' && <Synchronisation />}
      </WithSecret>
    </Page>
  )
}
