import { useState } from 'preact/hooks'
import type { Params } from '#client/index'
import { addressOf } from '../../address.ts'
import { asParams, Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { q } from '../../session.ts'

/** Section of the console's payment page: a form that creates a link to the page on which payers pay by card. */
export function CardPage() {
  const [href, setHref] = useState<string>()
  return (
    <Section title="Card page">
      <p class="quiet">
        Creates a link to the page on which payers pay by card. The page needs PAYMENT_PUBLIC_ID, the public id of the
        merchant at the processor. Its button opens the processor’s card form.
      </p>
      <Form
        isInline
        keeps
        fields={[
          { name: 'account', label: 'Account', isRequired: true, value: 'test' },
          { name: 'sum', label: 'Amount', isRequired: true, value: '10.00' },
          { name: 'currency', label: 'Currency', isRequired: true, value: 'KZT' },
          { name: 'description', label: 'Description', isRequired: true, value: 'Test payment' },
          {
            name: 'language',
            label: 'Language',
            kind: 'choice',
            options: [{ value: '', label: 'Browser language' }, 'en', 'ru', 'kk'],
          },
        ]}
        submit="Create link"
        onSubmit={async (values) => {
          const url = q().payment.url('/pub/card', asParams<Params<'payment', 'get', '/pub/card'>>(values))
          // Payers may not be able to reach the host of the console.
          setHref(url.replace(`${location.origin}/payment`, addressOf('payment')))
          return true
        }}
      />
      {href && (
        <p role="status">
          <a href={href} target="_blank" rel="noreferrer">
            {href}
          </a>
        </p>
      )}
    </Section>
  )
}
