// Operations of sms, email, otp and notification whose cost is measured, with local providers.
import { type Costed, many, maxRuns } from './operation.ts'

const phone = (n: number) => `7701${String(n).padStart(7, '0')}`

export const sms: Costed = {
  prepare: ({ ask }) =>
    many(200, (n) => ask('POST', '/sms/sms', { body: { phones: phone(n * 10), message: 'Good morning' } })),
  filled: { by: 'POST /sms, one phone', times: 200 },
  operations: [
    {
      name: 'POST /sms, one phone',
      run: ({ ask }, n) => ask('POST', '/sms/sms', { body: { phones: phone(n), message: 'On its way' } }),
    },
    {
      name: 'POST /sms, with Idempotency-Key',
      run: ({ ask }, n) => {
        const headers = { 'idempotency-key': `cost-${n}` }
        return ask('POST', '/sms/sms', { headers, body: { phones: phone(n), message: 'On its way' } })
      },
    },
    {
      name: 'GET /messages, of a phone',
      run: ({ ask }, n) => ask('GET', `/sms/messages?phone=${phone(n * 10)}&limit=10`),
    },
    {
      name: 'POST /blacklist',
      run: ({ ask }, n) => ask('POST', '/sms/blacklist', { body: { phone: phone(5_000 + n) } }),
    },
  ],
}

const mail = { to: 'ann@example.com', subject: 'Welcome', html: '<p>Good to have you here.</p>' }

export const email: Costed = {
  operations: [
    { name: 'POST /smtp', run: ({ ask }) => ask('POST', '/email/smtp', { body: mail }) },
    {
      name: 'POST /smtp, with Idempotency-Key',
      run: ({ ask }, n) => ask('POST', '/email/smtp', { headers: { 'idempotency-key': `cost-${n}` }, body: mail }),
    },
  ],
}

const password = (n: number) => String(100_000 + n)

export const otp: Costed = {
  prepare: async ({ ask }) => {
    await ask('POST', '/otp/limit/sms', {
      body: { phones: [{ minutes: 1, rate: 5 }], ips: [{ minutes: 1, rate: 10_000 }] },
    })
    const send = (n: number) => {
      const body = {
        phone: phone(90_000 + n),
        password: password(n),
        lifetime: 3_600,
        message: 'Your code',
        ip: '203.0.113.7',
      }
      return ask('POST', '/otp/sms', { body })
    }
    await many(300, send)
  },
  filled: { by: 'POST /sms, until it is sent', times: 300 },
  operations: [
    {
      name: 'POST /sms, until it is sent',
      run: ({ ask }, n) => {
        const body = { phone: phone(n), password: password(n), lifetime: 300, message: 'Your code', ip: '203.0.113.7' }
        return ask('POST', '/otp/sms', { body })
      },
    },
    {
      name: 'POST /email, until it is sent',
      run: ({ ask }, n) => {
        const text = { subject: 'Your code', text: 'Your code' }
        return ask('POST', '/otp/email', {
          body: { email: `u${n}@example.com`, password: password(n), lifetime: 300, ...text },
        })
      },
    },
    {
      name: 'GET /sms/check, right',
      run: ({ ask }, n) => ask('GET', `/otp/sms/check?phone=${phone(90_000 + n)}&password=${password(n)}`),
    },
    {
      name: 'GET /sms/check, wrong',
      run: ({ ask }, n) => ask('GET', `/otp/sms/check?phone=${phone(90_000 + maxRuns + n)}&password=wrong`),
    },
  ],
}

export const notification: Costed = {
  prepare: async ({ ask }) => {
    await ask('POST', '/feed/collection', { body: { name: 'notified' } })
    const channels = { has_email: true, has_sms: true, has_feed: true }
    const texts = { email_subject: 'Order {{ order }}', email_html: '<p>{{ name }}</p>', sms_message: '{{ name }}', feed_title: '{{ order }}' } // biome-ignore format: one line
    await ask('POST', '/notification/notification', { body: { name: 'Cost', code: 'cost', ...channels, ...texts } })
  },
  operations: [
    {
      name: 'POST /notify, by SMS, until it is sent',
      run: ({ ask }, n) => ask('POST', '/notification/notify', { body: { notification: 'cost', locale: 'en', phone: phone(n), payload: { name: 'Bob', order: n } } }), // biome-ignore format: one line
    },
    {
      name: 'POST /notify, by three channels, until they are sent',
      run: ({ ask }, n) => {
        const targets = {
          email: 'ann@example.com',
          phone: phone(n),
          feed_collection: 'notified',
          feed_recipient: `u${n}`,
        }
        return ask('POST', '/notification/notify', {
          body: { notification: 'cost', locale: 'en', ...targets, payload: { name: 'Bob', order: n } },
        })
      },
    },
    {
      name: 'POST /notification/preview',
      run: ({ ask }, n) =>
        ask('POST', '/notification/notification/preview', {
          body: { code: 'cost', locale: 'en', payload: { name: 'Bob', order: n } },
        }),
    },
  ],
}
