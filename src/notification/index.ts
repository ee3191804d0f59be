// Endpoints of the notification templates: create, change, preview and send.
import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { notify } from './dispatch.ts'
import { errors } from './errors.ts'
import * as notifications from './notifications.ts'
import { previewNotification } from './preview.ts'
import { schema } from './schema.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

const listing = {
  level: 'read' as const,
  summary: 'List templates',
  description:
    'Templates that match all filters, newest first. `GET` and `POST` are equal. A page ends early at 8 MB and has `has_more` then: request the rest with `offset`.',
  params: wire.NotificationFilter,
  reply: {
    notifications: z.array(wire.Notification).describe('Templates of the page, newest first'),
    nb_results,
    has_more,
  },
}

export const notification = api<Env, keyof typeof errors>({
  errors,
  name: 'notification',
  title: 'Notification templates',
  description: `Templates of notifications, sent by email, SMS and feed in the language of the recipient.

A template has a unique \`code\` and the texts of up to three channels. A text is a string, or an object with one string per locale: \
\`{"en": "Hello", "kk": "Сәлем"}\`. The locale is selected for each text separately: the requested locale; its language (\`kk\` for \`kk-KZ\`); \
another region of the language, the first in the object; then the same for NOTIFY_DEFAULT_LOCALE; then the first locale in the object. Case is \
ignored, and \`_\` is equal to \`-\`.

Texts are Liquid templates (https://shopify.github.io/liquid/) with the keys of \`payload\` as variables: \`{{ name }}\`, \
\`{{ total | round: 2 }}\`, \`{% if count > 1 %}…{% endif %}\`, \`{% for item in items %}…{% endfor %}\`. A missing value is empty. In \
\`email_html\` each value is escaped once, unless the filter \`raw\` is used; the other texts are plain text. The filter \`date\` writes \
days and months in the language of the message, in UTC unless it has a time zone. Tags that include other templates are not available.

A text that does not parse is rejected with its field, locale, line and column, such as \`"email_html.kk": "… (line 2, column 3)"\`. A text that \
takes more than 100 000 steps to render is rejected too, and so is a result that is too long for its channel: 998 characters of a subject, \
900 000 bytes of HTML, 1 600 characters of an SMS, 1 000 of a feed's title, 100 000 of its text.

Messages are rendered during the call. Later changes of the template do not change queued messages.`,
  probes: (env) => ({
    database: async () => ping(env),
    queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
  }),
})
  .post(
    '/notification',
    {
      level: 'write',
      adds: true,
      summary: 'Create a template',
      description:
        'With `has_email`, `email_subject` and `email_html` are required; with `has_sms`, `sms_message`. With `has_feed` no text is required, since `POST /notify` can pass a `feed_payload`. A text that does not parse is rejected with its field, locale, line and column. A repeat with the same `Idempotency-Key` creates no second template.',
      params: wire.NewNotification,
      reply: { notification: wire.Notification.describe('The template') },
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
      level: 'write',
      summary: 'Change a template',
      description:
        'Missing parameters keep their values. `""` clears a text or the description. An object of locales replaces all locales of its field. The result must be a valid template: to clear `sms_message`, also pass `has_sms: false`. Queued messages do not change.',
      params: wire.NotificationChanges,
      reply: { notification: wire.Notification.describe('The template') },
      errors: ['code_taken', 'notification_busy', 'notification_not_found'],
    },
    async ({ env, params }) => ({
      notification: await notifications.changeNotification(open(env, schema), params, new Date()),
    }),
  )

  .get(
    '/notification',
    {
      level: 'read',
      summary: 'Get a template',
      description:
        'Finds the template by `id`, by `code`, or by both if they belong to the same template. At least one is required.',
      params: wire.NotificationBy,
      reply: { notification: wire.Notification.describe('The template') },
      errors: ['notification_not_found'],
    },
    async ({ env, params }) => ({ notification: await notifications.findNotification(open(env, schema), params) }),
  )

  .delete(
    '/notification',
    {
      level: 'write',
      summary: 'Delete a template',
      description:
        'Deletes the template. Its `code` can be used again. Messages that are already queued are still sent.',
      params: wire.NotificationOf,
      errors: ['notification_not_found'],
    },
    async ({ env, params }) => notifications.deleteNotification(open(env, schema), params.id),
  )

  .post('/notifications', listing, ({ env, params }) => notifications.listNotifications(open(env, schema), params))

  .get('/notifications', listing, ({ env, params }) => notifications.listNotifications(open(env, schema), params))

  .post(
    '/notification/preview',
    {
      level: 'read',
      summary: 'Preview a template',
      description:
        'Renders the texts of a stored template (pass `id` or `code`), the texts in the call, or both: then texts in the call replace those of the template. All texts are rendered, also those of channels that are off. Texts that do not parse, take too many steps or are too long are rejected with 400, as when sending. Nothing is sent or stored.',
      params: wire.PreviewParams,
      reply: { preview: wire.NotificationPreview.describe('The rendered messages') },
      errors: ['notification_not_found'],
    },
    async ({ env, params }) => ({ preview: await previewNotification(env, params) }),
  )

  .post(
    '/notify',
    {
      level: 'write',
      summary: 'Send a notification',
      description: `Sends by each channel that the template uses and that has a recipient in the call: \`email\`, \`phone\`, or \`feed_collection\` \
with \`feed_recipient\`. All texts are rendered and all recipients are checked before the first message is queued. A channel whose text is blank is \
skipped: an email without subject or HTML, an SMS without text, a record without title, text, image and payload. If all channels are skipped, the \
reply is 400 \`nothing_to_send\`.

Each message is a task of the queue worker NOTIFICATION_QUEUE_WORKER, which retries it for about four hours. The reply says which messages are \
queued, not that they arrived: \`GET /task\` of the queue shows the state of a message by its \`task\`. Phones on the blacklist get no SMS.

On 502 \`queue_failed\` or 504 \`queue_timeout\`, \`content.channels\` says which messages are queued. A repeat with the same \`Idempotency-Key\` \
queues only the missing ones.`,
      params: wire.Notify,
      reply: { channels: wire.Outcomes },
      errors: ['notification_not_found', 'nothing_to_send', 'queue_failed', 'queue_timeout'],
      // The handler marks no point of no return: each task has its own idempotency key, so a repeat after a crash can safely
      // start again.
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, request }) => notify(env, params, request.headers.get('idempotency-key')),
  )
