import type { ComponentChildren } from 'preact'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { credentialsNow, isUnauthorized, q, signIn } from '../../session.ts'
import { useData } from '../../use.ts'

/** Shows what it has to whom the bus knows; everybody else it asks for a secret. */
export function WithSecret({ children }: { children: ComponentChildren }) {
  return credentialsNow().secret ? <Known>{children}</Known> : <AskSecret />
}

function Known({ children }: { children: ComponentChildren }) {
  // Who is a user but no administrator is refused by 403.
  const known = useData((signal) => q().bus.get('/clients', { limit: 1 }, { signal }), [], { every: 15_000 })
  if (known.error !== undefined && isUnauthorized(known.error)) return <AskSecret />
  if (known.isLoading && known.data === undefined && known.error === undefined) return <p class="quiet">Loading…</p>
  return <>{children}</>
}

function AskSecret() {
  return (
    <Section title="The bus asks for a secret of its own">
      <p>
        Its users each have one, which is sent as the header <code>Api-Secret</code>. That of the administrator is{' '}
        <code>BOX_ADMIN_SECRET</code>: a local start makes it, and says in which file it is, <code>secrets.json</code>{' '}
        in the folder of its data.
      </p>
      {credentialsNow().secret && (
        <p class="wrong" role="alert">
          No user has this secret, or the user is disabled.
        </p>
      )}
      <Form
        fields={[{ name: 'secret', label: 'Secret', kind: 'password', isRequired: true }]}
        submit="Use this secret"
        onSubmit={async ({ secret }) => {
          signIn({ secret: String(secret) })
          return true
        }}
      />
    </Section>
  )
}
