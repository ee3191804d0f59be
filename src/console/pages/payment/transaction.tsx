import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Button, Json, State, Time } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Page, Section, Shown } from '../../parts/page.tsx'
import { Facts, Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { amountOf, stateOf } from './amount.ts'

type Attempt = Reply<'payment', 'get', '/transaction'>['transaction']['webhooks'][number]

/** A payment, with the attempts to tell the operator, who can be told again. */
export function Transaction({ id }: { id: number }) {
  const [opened, setOpened] = useState<Attempt>()
  const found = useData((signal) => q().payment.get('/transaction', { id }, { signal }), [id], { every: 5_000 })
  const tell = useAction(() => q().payment.post('/transaction/webhook', { id }), {
    done: ({ transaction: { webhooks } }) => toldOf(webhooks[0]),
    after: found.reload,
  })
  return (
    <Page title={`Payment ${id}`} actions={<a href={hrefOf(['payment'])}>All payments</a>}>
      <Shown of={found}>
        {({ transaction: { webhooks, next_webhook_at, ...is } }) => (
          <>
            <Facts
              of={{
                Amount: amountOf(is),
                Account: is.account,
                State: <State of={stateOf(is.status)} />,
                'Code at the processor': is.code,
                Received: <Time of={is.created_at} />,
                'Next attempt': next_webhook_at && <Time of={next_webhook_at} />,
              }}
            />
            <Section
              title="Attempts to tell the operator"
              actions={
                <Button isBusy={tell.isBusy} onClick={tell.run}>
                  Tell the operator again
                </Button>
              }
            >
              <Table
                label="Attempts to tell the operator"
                rows={webhooks}
                keyOf={({ id }) => id}
                empty="There was none. PAYMENT_WEBHOOK_URL says where the operator is told."
                columns={[
                  { title: 'Time', of: ({ created_at }) => <Time of={created_at} /> },
                  {
                    title: 'Answer',
                    of: ({ response_status }) =>
                      response_status === null ? '–' : <State of={String(response_status)} />,
                  },
                  { title: 'Error', of: ({ error }) => error ?? '–' },
                  { title: 'Took', isFigure: true, of: ({ duration_ms }) => `${duration_ms} ms` },
                  { title: 'Address', of: ({ url }) => url },
                  {
                    title: 'Bodies',
                    of: (attempt) => (
                      <Button label={`Show bodies of the attempt ${attempt.id}`} onClick={() => setOpened(attempt)}>
                        Show
                      </Button>
                    ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </Shown>
      {opened && (
        <Dialog title={`Attempt ${opened.id}`} onClose={() => setOpened(undefined)}>
          <h3>Sent</h3>
          <Json of={opened.request_body} label="Sent" />
          <h3>Answered</h3>
          <Json of={opened.response_body ?? opened.error ?? ''} label="Answered" />
        </Dialog>
      )}
    </Page>
  )
}

function toldOf(attempt: Attempt | undefined): string {
  if (!attempt) return 'There is nobody to tell.'
  return attempt.response_status === null
    ? `The operator did not answer: ${attempt.error}`
    : `The operator has answered with ${attempt.response_status}.`
}
