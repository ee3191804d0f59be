// The console's page of `access`: keys, tokens and the audit log.
import { useState } from 'preact/hooks'
import { Page, Section } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import { Audit } from './audit.tsx'
import { Keys } from './keys.tsx'
import { NewKey, NewToken } from './new.tsx'
import { SecretDialog, type ShownSecret } from './secret.tsx'
import './page.css'

export default function Access({ path: [part] }: PageOf) {
  return (
    <Page
      title="Access"
      about="Keys with scopes for your servers, short-lived tokens for browsers and apps, and the audit log."
    >
      <Tabs
        label="Parts of access"
        tabs={{ Keys: hrefOf(['access']), Audit: hrefOf(['access', 'audit']) }}
        current={part === 'audit' ? 'Audit' : 'Keys'}
      />
      {part === 'audit' ? <Audit /> : <KeysAndTokens />}
    </Page>
  )
}

function KeysAndTokens() {
  const [secret, setSecret] = useState<ShownSecret>()
  const [round, setRound] = useState(0)
  return (
    <>
      <Section title="Keys">
        <Keys round={round} onSecret={setSecret} />
      </Section>
      <Section title="New key">
        <NewKey onSecret={setSecret} onCreated={() => setRound((before) => before + 1)} />
      </Section>
      <Section title="New token">
        <p class="quiet">
          A token is for a browser or an app. It allows no more than its key, shares the key's limit, and is refused
          within 30 seconds after the key is deleted.
        </p>
        <NewToken onSecret={setSecret} />
      </Section>
      {secret && <SecretDialog of={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
