import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { errors } from './errors.ts'
import { listNotifications } from './listing.ts'
import * as notifications from './notifications.ts'
import { previewNotification } from './previewing.ts'
import { schema } from './schema.ts'
import { notify } from './sending.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

const listing = {
  summary: 'List templates, the newest first',
  description:
    'The filters are met all together; `has_email`, `has_sms` and `has_feed` are those with it, or without it.',
  params: wire.NotificationFilter,
  reply: { notifications: z.array(wire.Notification), nb_results, has_more },
}

export const notification = api<Env, keyof typeof errors>({
  errors,
  name: 'notification',
  title: 'Notification templates',
  description: `Keeps templates of notifications, and sends them by email, SMS and feed in the language of who gets them.

A template has a \`code\`, by which it is sent, and the texts of up to three channels. A text is a string, or an object with one \
string per locale: \`{"en": "Hello", "kk": "Сәлем"}\`. The locale is chosen for each text by itself: the requested locale, its language \
(\`kk\` for \`kk-KZ\`), another region of the language (the first in the object), the same for NOTIFY_DEFAULT_LOCALE, the first locale in \
the object. Case is ignored, and \`_\` counts as \`-\`.

Texts are Liquid templates (https://shopify.github.io/liquid/) over the keys of \`payload\`: \`{{ name }}\`, \`{{ total | round: 2 }}\`, \
\`{% if count > 1 %}…{% endif %}\`, \`{% for item in items %}…{% endfor %}\`. A missing value is empty. In \`email_html\` each value is \
escaped once, unless the filter \`raw\` is used; the other texts are plain text. The filter \`date\` names days and months in the language \
of the message, in UTC unless it names a time zone. Tags that include other templates are not available. A text that does not parse is \
refused with its field, locale, line and column, such as \`"email_html.kk": "… (line 2, column 3)"\`. A text that takes more than 100 000 \
steps is refused too, and so is a result that is too long for its channel: 998 characters of a subject, 900 000 bytes of HTML, 1 600 \
characters of an SMS, 1 000 of a feed's title, 100 000 of its text.

A message is rendered while it is asked for, and what is queued is the text: no later change of its template changes it.`,
  probes: (env) => ({
    database: async () => ping(env),
    queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
  }),
})
  .post(
    '/notification',
    {
      adds: true,
      summary: 'Create a template',
      description:
        'With `has_email` it needs `email_subject` and `email_html`, with `has_sms` `sms_message`; a feed may do with the `feed_payload` of a call. 409 `code_taken`.',
      params: wire.NewNotification,
      reply: { notification: wire.Notification },
      errors: ['code_taken'],
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => {
      await markPointOfNoReturn()
      return { notification: await notifications.createNotification(open(env, schema), params, new Date()) }
    },
  )

  .patch(
    '/notification',
    {
      summary: 'Change a template',
      description:
        'What is not given stays; `""` empties a text or the description; an object of locales replaces all locales of its field. What comes out must be a template that could be created: to empty `sms_message`, say `has_sms: false` with it. Messages that are queued stay as they are.',
      params: wire.NotificationChanges,
      reply: { notification: wire.Notification },
      errors: ['code_taken', 'notification_busy', 'notification_not_found'],
    },
    async ({ env, params }) => ({
      notification: await notifications.changeNotification(open(env, schema), params, new Date()),
    }),
  )

  .get(
    '/notification',
    {
      summary: 'Read a template by its id or its code',
      params: wire.NotificationBy,
      reply: { notification: wire.Notification },
      errors: ['notification_not_found'],
    },
    async ({ env, params }) => ({ notification: await notifications.findNotification(open(env, schema), params) }),
  )

  .delete(
    '/notification',
    {
      summary: 'Delete a template',
      description: 'Messages that are queued are sent all the same.',
      params: wire.NotificationOf,
      errors: ['notification_not_found'],
    },
    async ({ env, params }) => notifications.deleteNotification(open(env, schema), params.id),
  )

  .post('/notifications', listing, ({ env, params }) => listNotifications(open(env, schema), params))

  .get('/notifications', listing, ({ env, params }) => listNotifications(open(env, schema), params))

  .post(
    '/notification/preview',
    {
      summary: 'See what a template becomes',
      description:
        'Renders every text that there is, whatever channels are on: those of the template that `id` or `code` names, or texts that come with the call, or both, of which those of the call win. Nothing is sent or kept. For SMS it says how many segments the message takes.',
      params: wire.Previewed,
      reply: { preview: wire.NotificationPreview },
      errors: ['notification_not_found'],
    },
    async ({ env, params }) => ({ preview: await previewNotification(env, params) }),
  )

  .post(
    '/notify',
    {
      summary: 'Send a notification',
      description: `A channel goes out where the template has it and the call has its target: \`email\`, \`phone\`, or \`feed_collection\` \
and \`feed_recipient\`. Each is a task of the queue, in the worker NOTIFICATION_QUEUE_WORKER, tried again for some four hours until the email, SMS \
or feed component has taken it; the reply says which are queued, and not that they have arrived. Phones on the blacklist get nothing. A channel \
whose text comes out blank is skipped: an email without subject or HTML, an SMS without text, a record without title, text, image and payload. Where \
all are skipped it is 400 \`nothing_to_send\`. All texts are rendered, and all targets checked, before anything is queued.

502 \`queue_failed\` or 504 \`queue_timeout\` where the queue has not taken a message, or has not said so; \`content.channels\` says which it has. A \
repeat with the same \`Idempotency-Key\` then queues what is missing, and nothing twice.`,
      params: wire.Notify,
      reply: { channels: wire.Outcomes },
      errors: ['notification_not_found', 'nothing_to_send', 'queue_failed', 'queue_timeout'],
      // It never commits: each message has a key of its own, so that it can always be begun anew.
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, request }) => notify(env, params, request.headers.get('idempotency-key')),
  )
