import { useState } from 'preact/hooks'
import type { Params } from '#client/index'
import { asParams, Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { q } from '../../session.ts'

/** Makes a link to the page where somebody pays by card. */
export function CardPage() {
  const [href, setHref] = useState<string>()
  return (
    <Section title="Try the card page">
      <p class="quiet">
        It needs PAYMENT_PUBLIC_ID, the name of the operator at the processor. The button on it opens the processor’s
        form.
      </p>
      <Form
        isInline
        keeps
        fields={[
          { name: 'account', label: 'Account', isRequired: true, value: 'test' },
          { name: 'sum', label: 'Amount', isRequired: true, value: '10.00' },
          { name: 'currency', label: 'Currency', isRequired: true, value: 'KZT' },
          { name: 'description', label: 'Description', isRequired: true, value: 'A try' },
          {
            name: 'language',
            label: 'Language',
            kind: 'choice',
            options: [{ value: '', label: 'of the browser' }, 'en', 'ru', 'kk'],
          },
        ]}
        submit="Make the link"
        onSubmit={async (values) => {
          setHref(q().payment.url('/pub/card', asParams<Params<'payment', 'get', '/pub/card'>>(values)))
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
