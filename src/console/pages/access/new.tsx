// The forms that create a key and issue a token.
import { useState } from 'preact/hooks'
import { quartermaster } from '#client/index'
import { Time } from '../../parts/bits.tsx'
import { asParams, Form, type FormField, type FormValues } from '../../parts/form.tsx'
import { credentialsNow, q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { BoundsFields, Scopes } from './scopes.tsx'
import type { ShownSecret } from './secret.tsx'

interface NewProps {
  onSecret: (secret: ShownSecret) => void
}

/** Creates a key, and shows its secret once. */
export function NewKey({ onSecret, onCreated }: NewProps & { onCreated: () => void }) {
  const choice = useChoice()
  const create = useAction(
    (values: FormValues) =>
      q().access.post('/key', { ...asParams<{ name: string }>(values), scopes: choice.scopes, bounds: choice.bounds }),
    {
      done: 'Key created.',
      after: ({ key, secret }) => {
        choice.clear()
        onCreated()
        onSecret({ title: `The secret of ${key.name}`, kind: 'secret', text: secret })
      },
    },
  )
  return (
    <>
      {choice.fields}
      <Form fields={keyFields} submit="Create key" onSubmit={create.run} isBusy={create.isBusy} error={create.error} />
    </>
  )
}

const keyFields: FormField[] = [
  { name: 'name', label: 'Name', isRequired: true, help: 'Says who uses the key, such as prometheus' },
  { name: 'expires_at', label: 'Expires', kind: 'date', help: 'Default: never' },
  { name: 'requests_per_minute', label: 'Requests per minute', kind: 'number', help: 'Default: no limit' },
]

/** Issues a token of a key. A token issues no tokens, so that the console's own does not suffice. */
export function NewToken({ onSecret }: NewProps) {
  const choice = useChoice()
  const own = credentialsNow().token
  const issue = useAction(
    ({ key, lifetime, origins }: FormValues) => {
      const secret = key === undefined ? own : String(key)
      return (secret ? clientWith(secret) : q()).access.post('/token', {
        scopes: choice.scopes,
        bounds: choice.bounds,
        lifetime: Number(lifetime),
        ...(Array.isArray(origins) && { origins: origins as string[] }),
      })
    },
    {
      after: ({ token, expires_at }) => {
        choice.clear()
        onSecret({
          title: 'The token',
          kind: 'token',
          text: token,
          about: (
            <>
              Expires: <Time of={expires_at} />. It is sent as <code>Authorization: Bearer</code>.
            </>
          ),
        })
      },
    },
  )
  const keyField: FormField = {
    name: 'key',
    label: 'Key',
    kind: 'password',
    help: own
      ? 'The key that issues the token, and with which it ends. Default: the key with which you signed in'
      : 'The key that issues the token, and with which it ends',
  }
  return (
    <>
      {choice.fields}
      <Form
        fields={[keyField, ...tokenFields]}
        submit="Issue token"
        onSubmit={issue.run}
        isBusy={issue.isBusy}
        error={issue.error}
      />
    </>
  )
}

/** A client that sends a key instead of the console's token. */
const clientWith = (token: string) =>
  quartermaster({
    url: location.origin,
    token,
    fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
  })

const tokenFields: FormField[] = [
  {
    name: 'lifetime',
    label: 'Valid for',
    kind: 'choice',
    options: [
      { value: '900', label: '15 minutes' },
      { value: '3600', label: 'an hour' },
      { value: '28800', label: '8 hours' },
      { value: '86400', label: 'a day' },
    ],
    value: '3600',
  },
  {
    name: 'origins',
    label: 'Origins',
    kind: 'list',
    help: 'Pages that may use it, separated by commas, such as https://app.example.com. Default: all',
  },
]

/** The chosen scopes and bounds of a form, with the fields that change them. */
function useChoice() {
  const [scopes, setScopes] = useState<string[]>([])
  const [bounds, setBounds] = useState<Record<string, string>>({})
  const fields = (
    <div class="split">
      <Scopes value={scopes} onChange={setScopes} />
      <BoundsFields value={bounds} onChange={setBounds} />
    </div>
  )
  const clear = () => {
    setScopes([])
    setBounds({})
  }
  return { scopes, bounds, fields, clear }
}
