// The console's page of `access`: lists, creates, rotates and deletes keys, and issues tokens.
import { useState } from 'preact/hooks'
import { Page, Section } from '../../parts/page.tsx'
import { Keys } from './keys.tsx'
import { NewKey, NewToken } from './new.tsx'
import { SecretDialog, type ShownSecret } from './secret.tsx'
import './page.css'

export default function Access() {
  const [secret, setSecret] = useState<ShownSecret>()
  const [round, setRound] = useState(0)
  return (
    <Page title="Access" about="Keys with scopes for your servers, and short-lived tokens for browsers and apps.">
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
    </Page>
  )
}
