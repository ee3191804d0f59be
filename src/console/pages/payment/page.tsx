import type { Reply } from '#client/index'
import { State, Time } from '../../parts/bits.tsx'
import { Form } from '../../parts/form.tsx'
import { LoadedContent, Page, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { go, hrefOf, type PageOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { amountOf, stateOf } from './amount.ts'
import { CardPage } from './card.tsx'
import { Transaction } from './transaction.tsx'

/** Console page of the payments: the list of payments, or the payment whose id is in the path. */
export default function Payment({ path: [id], query }: PageOf) {
  if (id) return <Transaction id={Number(id)} />
  return (
    <Page title="Payments" about="Payments received, and webhook status.">
      <Transactions query={query} />
      <CardPage />
    </Page>
  )
}

type Row = Reply<'payment', 'post', '/transactions'>['transactions'][number]

const size = 50

function Transactions({ query }: { query: URLSearchParams }) {
  const [account, code, status] = ['account', 'code', 'status'].map((name) => query.get(name) ?? '')
  const offset = Number(query.get('offset')) || 0
  const transactions = useData(
    (signal) => {
      const filters = { ...(account && { account }), ...(code && { code }), ...(status && { status: Number(status) }) }
      return q().payment.post('/transactions', { ...filters, limit: size, offset, count: true }, { signal })
    },
    [account, code, status, offset],
    { every: 5_000 },
  )
  return (
    <Section title="Payments">
      <Form
        key={`${account} ${code} ${status}`}
        isInline
        keeps
        fields={[
          { name: 'account', label: 'Account', value: account },
          { name: 'code', label: 'Transaction id', value: code },
          { name: 'status', label: 'Status', kind: 'choice', options: states, value: status },
        ]}
        submit="Apply"
        onSubmit={async (values) => {
          go(['payment'], Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])))
          return true
        }}
      />
      <LoadedContent of={transactions}>
        {({ transactions: rows, nb_results }) => (
          <>
            <Table
              label="Payments"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No payments found. The processor reports payments to /payment/check and /payment/pay."
              columns={[
                { title: 'Payment', of: ({ id }) => <a href={hrefOf(['payment', String(id)])}>{id}</a> },
                { title: 'Received', of: ({ created_at }) => <Time of={created_at} /> },
                { title: 'Account', of: ({ account }) => account },
                { title: 'Amount', isFigure: true, of: (row) => amountOf(row) },
                { title: 'Status', of: ({ status }) => <State of={stateOf(status)} /> },
                { title: 'Transaction id', of: ({ code }) => code },
              ]}
            />
            {rows.length > 0 && <p class="quiet">On this page: {totalsOf(rows).join(', ')}.</p>}
            <Pager
              offset={offset}
              size={size}
              total={nb_results ?? rows.length}
              onTurn={(to) => go(['payment'], { account, code, status, offset: to > 0 ? String(to) : undefined })}
            />
          </>
        )}
      </LoadedContent>
    </Section>
  )
}

const states = [
  { value: '', label: 'any' },
  { value: '0', label: 'received' },
  { value: '1', label: 'completed' },
]

/** Total amount of the listed payments per currency. A page has too few rows for a sum of hundredths to exceed the safe integers. */
function totalsOf(rows: Row[]): string[] {
  const totals = new Map<string, number>()
  for (const { currency, sum_minor } of rows) totals.set(currency, (totals.get(currency) ?? 0) + sum_minor)
  return [...totals].map(([currency, sum_minor]) => amountOf({ currency, sum_minor }))
}
