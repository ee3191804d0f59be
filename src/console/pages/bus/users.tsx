import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Button, State, Time } from '../../parts/bits.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

type User = Reply<'bus', 'get', '/clients'>['clients'][number]
type WithSecret = Reply<'bus', 'patch', '/client'>['client']

const size = 50

/** Tab of the console's bus page: the users, with actions to create, disable and delete them. A new secret is shown once. */
export function Users() {
  const [offset, setOffset] = useState(0)
  const [shown, setShown] = useState<WithSecret>()
  const users = useData(
    (signal) => q().bus.get('/clients', { limit: size, offset, count: true }, { signal }),
    [offset],
    { every: 10_000 },
  )
  const after = ({ client }: { client: WithSecret }) => {
    if (client.secret) setShown(client)
    users.reload()
  }
  const create = useAction((values: FormValues) => q().bus.post('/client', asParams(values)), {
    done: 'User created.',
    after,
  })
  return (
    <>
      <LoadedContent of={users}>
        {({ clients, nb_results }) => (
          <>
            <Table
              label="Users"
              rows={clients}
              keyOf={({ id }) => id}
              empty="No users."
              columns={[
                { title: 'User', of: ({ name }) => name },
                { title: 'State', of: ({ is_disabled }) => <State of={is_disabled ? 'disabled' : 'active'} /> },
                { title: 'Role', of: ({ is_admin }) => (is_admin ? 'administrator' : 'user') },
                { title: 'Description', of: ({ description }) => description },
                { title: 'Changed', of: ({ updated_at }) => <Time of={updated_at} /> },
                {
                  title: 'Access',
                  of: ({ id, name, is_admin }) =>
                    is_admin ? (
                      'All'
                    ) : (
                      <a href={hrefOf(['bus', 'access'], { client: String(id) })} aria-label={`Access of ${name}`}>
                        Access
                      </a>
                    ),
                },
                { title: 'Action', of: (user) => <Actions user={user} after={after} reload={users.reload} /> },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? clients.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
      <Section title="New user">
        <Form
          fields={[
            { name: 'name', label: 'Name', help: 'Default: generated' },
            { name: 'description', label: 'Description' },
            { name: 'is_admin', label: 'Administrator', kind: 'check' },
          ]}
          submit="Create"
          onSubmit={create.run}
          isBusy={create.isBusy}
          error={create.error}
        />
      </Section>
      {shown && <Secret of={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

interface ActionsProps {
  user: User
  after: (result: { client: WithSecret }) => void
  reload: () => void
}

function Actions({ user: { id, name, is_disabled }, after, reload }: ActionsProps) {
  const renew = useAction(() => q().bus.patch('/client', { id, renew_secret: true }), { after })
  const toggle = useAction(() => q().bus.patch('/client', { id, is_disabled: !is_disabled }), {
    done: is_disabled ? 'User enabled.' : 'User disabled.',
    after,
  })
  const remove = useAction(() => q().bus.delete('/client', { id }), { done: 'User deleted.', after: reload })
  const toggleLabel = is_disabled ? 'Enable' : 'Disable'
  return (
    <div class="actions">
      <ConfirmButton
        label={`Renew secret of ${name}`}
        question={`The current secret of ${name} stops working at once.`}
        isBusy={renew.isBusy}
        onConfirm={renew.run}
      >
        Renew secret
      </ConfirmButton>
      <Button label={`${toggleLabel} ${name}`} isBusy={toggle.isBusy} onClick={toggle.run}>
        {toggleLabel}
      </Button>
      <ConfirmButton
        label={`Delete ${name}`}
        question={`This permanently deletes ${name} and all its access.`}
        isBusy={remove.isBusy}
        onConfirm={remove.run}
      >
        Delete
      </ConfirmButton>
    </div>
  )
}

function Secret({ of: { name, secret = '' }, onClose }: { of: WithSecret; onClose: () => void }) {
  return (
    <Dialog title={`The secret of ${name}`} onClose={onClose}>
      <p>Copy the secret now. It is not shown again.</p>
      <p class="actions">
        <code>{secret}</code>
        <CopyButton text={secret} label="the secret" />
      </p>
    </Dialog>
  )
}
