// Types and properties of the operations of all components, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Access } from './access.ts'
import type { Badge } from './badge.ts'
import type { Bus } from './bus.ts'
import type { Catcher } from './catcher.ts'
import type { Delivery } from './delivery.ts'
import type { Email } from './email.ts'
import type { Feed } from './feed.ts'
import type { Fulltext } from './fulltext.ts'
import type { Media } from './media.ts'
import type { Notification } from './notification.ts'
import type { Otp } from './otp.ts'
import type { Payment } from './payment.ts'
import type { Pdf } from './pdf.ts'
import type { Queue } from './queue.ts'
import type { Signature } from './signature.ts'
import type { Sms } from './sms.ts'
import type { Typeahead } from './typeahead.ts'

export type { Access, Badge, Bus, Catcher, Delivery, Email, Feed, Fulltext, Media, Notification, Otp, Payment, Pdf, Queue, Signature, Sms, Typeahead }

/** The operations of each component. */
export interface Components {
  media: Media
  signature: Signature
  feed: Feed
  badge: Badge
  fulltext: Fulltext
  typeahead: Typeahead
  pdf: Pdf
  sms: Sms
  email: Email
  otp: Otp
  notification: Notification
  delivery: Delivery
  queue: Queue
  bus: Bus
  payment: Payment
  catcher: Catcher
  access: Access
}

/** The components with separate secrets of their callers. */
export type Secretive = 'bus'

/** Properties of operations that the client needs in addition to their types. */
export interface Table {
  components: readonly string[]
  /** The header of a component's secrets. */
  secrets: { readonly [component: string]: string }
  /** Operations whose reply is returned unparsed. */
  bytes: readonly string[]
  /** Operations that take a form, with its fields. Other parameters travel in the query. */
  forms: { readonly [operation: string]: readonly string[] }
  /** Operations that take an `Idempotency-Key`. */
  keyed: readonly string[]
  /** Operations that are not retried, although their method is safe. */
  once: readonly string[]
  /** Operations that can be retried, although their method is not idempotent. */
  harmless: readonly string[]
  /** The parameter that makes a retry of an operation idempotent. */
  uuids: { readonly [operation: string]: string }
  /** Query parameters that take one text or several. */
  lists: { readonly [operation: string]: readonly string[] }
}

export const table: Table = {
  components: [
    'media',
    'signature',
    'feed',
    'badge',
    'fulltext',
    'typeahead',
    'pdf',
    'sms',
    'email',
    'otp',
    'notification',
    'delivery',
    'queue',
    'bus',
    'payment',
    'catcher',
    'access'
  ],
  secrets: {
    bus: 'Api-Secret'
  },
  bytes: [
    'GET /media/file/{digest}',
    'GET /media/image/{digest}',
    'GET /media/video/{digest}',
    'GET /media/video/{digest}/preview',
    'POST /media/video/{digest}/preview',
    'GET /media/audio/{digest}',
    'GET /fulltext/_example',
    'GET /typeahead/_example',
    'GET /pdf/pdf',
    'POST /pdf/pdf',
    'GET /pdf/document',
    'GET /email/message/raw',
    'GET /queue/.well-known/jwks.json',
    'GET /payment/pub/card',
    'GET /payment/_payments_/pub/card',
    'GET /catcher/_requests_/ui'
  ],
  forms: {
    'POST /media/file': [
      'file',
      'scope'
    ],
    'POST /media/image': [
      'file',
      'scope'
    ],
    'POST /media/video': [
      'file',
      'scope'
    ],
    'POST /media/audio': [
      'file',
      'scope'
    ]
  },
  keyed: [
    'POST /media/file',
    'POST /media/image',
    'POST /media/image/{digest}/rotate',
    'POST /media/image/{digest}/crop',
    'POST /media/video',
    'POST /media/video/{digest}/retry',
    'POST /media/audio',
    'POST /feed/record',
    'POST /feed/records',
    'POST /badge/badge',
    'POST /sms/sms',
    'POST /sms/call',
    'POST /email/smtp',
    'POST /otp/sms',
    'POST /otp/call',
    'POST /otp/email',
    'POST /otp/chatapp',
    'POST /notification/notification',
    'POST /notification/notify',
    'POST /delivery/delivery',
    'POST /delivery/delivery/copy',
    'POST /queue/task',
    'POST /queue/fraction',
    'POST /queue/tasks',
    'POST /queue/tasks/retry',
    'POST /queue/tasks/cancel',
    'POST /queue/tasks/delete',
    'POST /queue/schedule/run',
    'POST /payment/transaction/webhook'
  ],
  once: [
    'GET /otp/sms/check',
    'GET /otp/call/check',
    'GET /otp/email/check',
    'GET /otp/chatapp/check'
  ],
  harmless: [
    'POST /media/video/{digest}/preview',
    'POST /signature/signature/verify',
    'POST /feed/collection',
    'POST /feed/record/read',
    'POST /feed/record/unread',
    'POST /feed/records/count',
    'POST /feed/records/search',
    'POST /feed/stream/token',
    'POST /badge/badges',
    'POST /badge/counters',
    'POST /badge/users',
    'POST /fulltext/document',
    'POST /fulltext/document/search',
    'POST /fulltext/documents',
    'POST /fulltext/documents/search',
    'POST /typeahead/document',
    'POST /typeahead/document/search',
    'POST /typeahead/documents',
    'POST /typeahead/documents/search',
    'POST /pdf/pdf',
    'POST /sms/blacklist',
    'POST /sms/blacklist/search',
    'POST /sms/messages',
    'POST /email/messages',
    'POST /otp/limit/sms',
    'POST /otp/limit/call',
    'POST /otp/limit/email',
    'POST /otp/limit/chatapp',
    'POST /otp/target',
    'POST /otp/password',
    'POST /otp/messages',
    'POST /notification/notifications',
    'POST /notification/notification/preview',
    'POST /delivery/delivery/cancel',
    'POST /delivery/delivery/pause',
    'POST /delivery/delivery/resume',
    'POST /queue/worker/pause',
    'POST /queue/worker/resume',
    'POST /queue/schedule/pause',
    'POST /queue/schedule/resume',
    'POST /bus/access',
    'POST /payment/transactions',
    'POST /catcher/_requests_/verify'
  ],
  uuids: {
    'POST /bus/document': 'uuid'
  },
  lists: {
    'GET /feed/records': [
      'thread'
    ],
    'GET /feed/records/count': [
      'thread'
    ],
    'GET /badge/counters': [
      'names'
    ]
  }
}
