import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Button, Json, State, Time } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LoadedContent, Page, Section } from '../../parts/page.tsx'
import { Facts, Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { amountOf, stateOf } from './amount.ts'

type Attempt = Reply<'payment', 'get', '/transaction'>['transaction']['webhooks'][number]

/** Console page of one payment: its fields and webhook attempts, with an action to resend the webhook. */
export function Transaction({ id }: { id: number }) {
  const [opened, setOpened] = useState<Attempt>()
  const payment = useData((signal) => q().payment.get('/transaction', { id }, { signal }), [id], { every: 5_000 })
  const resend = useAction(() => q().payment.post('/transaction/webhook', { id }), {
    done: ({ transaction: { webhooks } }) => resultOf(webhooks[0]),
    after: payment.reload,
  })
  return (
    <Page title={`Payment ${id}`} actions={<a href={hrefOf(['payment'])}>All payments</a>}>
      <LoadedContent of={payment}>
        {({ transaction: { webhooks, next_webhook_at, ...row } }) => (
          <>
            <Facts
              of={{
                Amount: amountOf(row),
                Account: row.account,
                Status: <State of={stateOf(row.status)} />,
                'Transaction id': row.code,
                Received: <Time of={row.created_at} />,
                'Next attempt': next_webhook_at && <Time of={next_webhook_at} />,
              }}
            />
            <Section
              title="Webhook attempts"
              actions={
                <Button isBusy={resend.isBusy} onClick={resend.run}>
                  Resend webhook
                </Button>
              }
            >
              <Table
                label="Webhook attempts"
                rows={webhooks}
                keyOf={({ id }) => id}
                empty="No webhook was sent. Webhooks need PAYMENT_WEBHOOK_URL."
                columns={[
                  { title: 'Time', of: ({ created_at }) => <Time of={created_at} /> },
                  {
                    title: 'Response',
                    of: ({ response_status }) =>
                      response_status === null ? '–' : <State of={String(response_status)} />,
                  },
                  { title: 'Error', of: ({ error }) => error ?? '–' },
                  { title: 'Duration', isFigure: true, of: ({ duration_ms }) => `${duration_ms} ms` },
                  { title: 'URL', of: ({ url }) => url },
                  {
                    title: 'Bodies',
                    of: (attempt) => (
                      <Button label={`Show bodies of attempt ${attempt.id}`} onClick={() => setOpened(attempt)}>
                        Show
                      </Button>
                    ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </LoadedContent>
      {opened && (
        <Dialog title={`Attempt ${opened.id}`} onClose={() => setOpened(undefined)}>
          <h3>Request</h3>
          <Json of={opened.request_body} label="Request" />
          <h3>Response</h3>
          <Json of={opened.response_body ?? opened.error ?? ''} label="Response" />
        </Dialog>
      )}
    </Page>
  )
}

function resultOf(attempt: Attempt | undefined): string {
  if (!attempt) return 'No webhook was sent: PAYMENT_WEBHOOK_URL is not set.'
  return attempt.response_status === null
    ? `The merchant did not respond: ${attempt.error}`
    : `The merchant responded with ${attempt.response_status}.`
}
