import type { ComponentChildren } from 'preact'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { credentialsNow, isUnauthorized, q, signIn } from '../../session.ts'
import { useData } from '../../use.ts'

/** Shows its children if the API accepts the secret for the bus; otherwise asks for a secret. */
export function WithSecret({ children }: { children: ComponentChildren }) {
  return credentialsNow().secret ? <SecretCheck>{children}</SecretCheck> : <AskSecret />
}

function SecretCheck({ children }: { children: ComponentChildren }) {
  // Checks the secret with a call for administrators. 403 is fine too: a user that is not an administrator may use parts of the page.
  const check = useData((signal) => q().bus.get('/clients', { limit: 1 }, { signal }), [], { every: 15_000 })
  if (check.error !== undefined && isUnauthorized(check.error)) return <AskSecret />
  if (check.isLoading && check.data === undefined && check.error === undefined) return <p class="quiet">Loading…</p>
  return <>{children}</>
}

function AskSecret() {
  return (
    <Section title="The bus needs a secret">
      <p>
        Each user of the bus has a secret, which is sent in the header <code>Api-Secret</code>. The secret of the
        administrator is <code>BOX_ADMIN_SECRET</code>. A local start generates it in <code>secrets.json</code> in the
        state folder.
      </p>
      {credentialsNow().secret && (
        <p class="wrong" role="alert">
          No user has this secret, or the user is disabled.
        </p>
      )}
      <Form
        fields={[{ name: 'secret', label: 'Secret', kind: 'password', isRequired: true }]}
        submit="Use secret"
        onSubmit={async ({ secret }) => {
          await signIn({ secret: String(secret) })
          return true
        }}
      />
    </Section>
  )
}
