// Tab of the console's bus page: subscriptions, and the signing secrets of handlers, webhooks and subscribers.
import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Button, State } from '../../parts/bits.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

type Subscription = Reply<'bus', 'get', '/subscriptions'>['subscriptions'][number]

const size = 50

/** A new secret and its receiver, which are shown once. */
interface NewSecretOf {
  of: string
  secret: string
}

/** The list of subscriptions with forms that create one, and that add a signing secret. */
export function Subscriptions() {
  const [offset, setOffset] = useState(0)
  const [created, setCreated] = useState<NewSecretOf>()
  const subscriptions = useData(
    (signal) => q().bus.get('/subscriptions', { limit: size, offset, count: true }, { signal }),
    [offset],
    { every: 10_000 },
  )
  const create = useAction(
    (values: FormValues) => q().bus.post('/subscription', asParams<{ collection: string; url: string }>(values)),
    {
      done: 'Subscription created.',
      after: ({ subscription: { url, secret } }) => {
        setCreated({ of: url, secret })
        subscriptions.reload()
      },
    },
  )
  const add = useAction(
    (values: FormValues) => q().bus.post('/signing-secret', asParams<{ collection: string }>(values)),
    {
      done: 'Signing secret added.',
      after: ({ signing_secret: { target, secret } }) => {
        setCreated({ of: target, secret })
        subscriptions.reload()
      },
    },
  )
  return (
    <>
      <LoadedContent of={subscriptions}>
        {({ subscriptions: rows, nb_results }) => (
          <>
            <Table
              label="Subscriptions"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No subscriptions yet. Create one with the form below."
              columns={[
                { title: 'Collection', of: ({ collection }) => collection },
                { title: 'URL', of: ({ url }) => url },
                { title: 'Events', of: ({ events }) => (events.length > 0 ? events.join(', ') : 'All') },
                { title: 'State', of: (row) => <State of={stateOf(row)} /> },
                { title: 'Circuit', of: ({ circuit }) => circuit.replace('_', ' ') },
                { title: 'Secrets', isFigure: true, of: ({ secrets }) => secrets },
                { title: 'Id', of: ({ id }) => <code>{id}</code> },
                { title: 'Action', of: (row) => <Actions of={row} reload={subscriptions.reload} /> },
              ]}
            />
            <Pager offset={offset} size={size} total={nb_results ?? rows.length} onTurn={setOffset} />
          </>
        )}
      </LoadedContent>
      <div class="split">
        <Section title="New subscription">
          <Form
            fields={[
              { name: 'collection', label: 'Collection', isRequired: true, help: 'An async or storage collection' },
              { name: 'url', label: 'URL', kind: 'url', isRequired: true },
              {
                name: 'events',
                label: 'Events',
                kind: 'list',
                help: 'Separated by commas; * at the end. Default: all',
              },
            ]}
            submit="Subscribe"
            onSubmit={create.run}
            isBusy={create.isBusy}
            error={create.error}
          />
        </Section>
        <Section title="New signing secret">
          <Form
            fields={[
              { name: 'collection', label: 'Of collection', isRequired: true },
              {
                name: 'target',
                label: 'Receiver',
                help: 'handler, the origin of webhooks, or the id of a subscription. Default: handler. The previous secret keeps signing too',
              },
            ]}
            submit="Add secret"
            onSubmit={add.run}
            isBusy={add.isBusy}
            error={add.error}
          />
        </Section>
      </div>
      {created && <NewSecret of={created} onClose={() => setCreated(undefined)} />}
    </>
  )
}

function stateOf({ is_disabled, disabled_because }: Subscription): string {
  if (!is_disabled) return 'active'
  return disabled_because ? `disabled: ${disabled_because}` : 'disabled'
}

function Actions({
  of: { id, url, collection, is_disabled, secrets },
  reload,
}: {
  of: Subscription
  reload: () => void
}) {
  const toggle = useAction(() => q().bus.patch('/subscription', { id, is_disabled: !is_disabled }), {
    done: is_disabled ? 'Subscription enabled.' : 'Subscription disabled.',
    after: reload,
  })
  const remove = useAction(() => q().bus.delete('/subscription', { id }), {
    done: 'Subscription deleted.',
    after: reload,
  })
  const endRotation = useAction(() => q().bus.delete('/signing-secret', { collection, target: id }), {
    done: 'Older secret deleted.',
    after: reload,
  })
  const label = is_disabled ? 'Enable' : 'Disable'
  return (
    <div class="actions">
      <Button label={`${label} ${url}`} isBusy={toggle.isBusy} onClick={toggle.run}>
        {label}
      </Button>
      {secrets > 1 && (
        <ConfirmButton
          label={`Delete the older secret of ${url}`}
          question="Only the newer secret signs from now on."
          isBusy={endRotation.isBusy}
          onConfirm={endRotation.run}
        >
          End rotation
        </ConfirmButton>
      )}
      <ConfirmButton
        label={`Delete ${url}`}
        question={`${url} gets no more documents of ${collection}, also not those that wait.`}
        isBusy={remove.isBusy}
        onConfirm={remove.run}
      >
        Delete
      </ConfirmButton>
    </div>
  )
}

function NewSecret({ of: { of, secret }, onClose }: { of: NewSecretOf; onClose: () => void }) {
  return (
    <Dialog title={`The signing secret of ${of}`} onClose={onClose}>
      <p>Copy the secret now. It is not shown again.</p>
      <p class="actions">
        <code>{secret}</code>
        <CopyButton text={secret} label="the secret" />
      </p>
    </Dialog>
  )
}
