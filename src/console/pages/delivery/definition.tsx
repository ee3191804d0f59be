import { Json } from '../../parts/bits.tsx'
import { Html } from '../../parts/html.tsx'
import { Facts } from '../../parts/table.tsx'
import { fields, fieldsOf } from '../messages/texts.ts'
import { channelsOf, type Delivery } from './states.ts'

const titles = Object.fromEntries(
  Object.entries(fieldsOf).flatMap(([channel, shown]) =>
    shown.map(({ field, label }) => [field, `${channel}: ${label}`]),
  ),
)

/** The definition of a delivery: range, filters and texts. */
export function Definition({ delivery }: { delivery: Delivery }) {
  const { min, max, gap, data_url, filters, payload, feed_payload } = delivery
  return (
    <>
      <Facts
        of={{
          Channels: channelsOf(delivery).join(', '),
          'Recipients from': data_url,
          Range: `${min} to ${max}, ${gap} per piece`,
        }}
      />
      {Object.keys(filters).length > 0 && <Data title="Filters" of={filters} />}
      {payload && <Data title="Values for the texts" of={payload} />}
      {feed_payload && <Data title="Payload of the feed records" of={feed_payload} />}
      {fields.flatMap((field) =>
        Object.entries(delivery[field] ?? {}).map(([locale, text]) => (
          <section key={`${field} ${locale}`}>
            <h3>
              {titles[field]}, {locale}
            </h3>
            <Json of={text} label={`${titles[field]}, ${locale}`} />
            {field === 'email_html' && <Html of={text} title={`The email's HTML, ${locale}`} height="12rem" />}
          </section>
        )),
      )}
    </>
  )
}

const Data = ({ title, of }: { title: string; of: object }) => (
  <section>
    <h3>{title}</h3>
    <Json of={of} label={title} />
  </section>
)
