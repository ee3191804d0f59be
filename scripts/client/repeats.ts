// What the document does not say: which operations can be made twice without harm. HTTP says it of GET, HEAD, PUT and DELETE,
// and an `Idempotency-Key` makes it so; these differ.

/** Each use of a password counts, and a right one uses it up. */
export const once = ['GET /otp/sms/check', 'GET /otp/call/check', 'GET /otp/email/check', 'GET /otp/chatapp/check']

/** They read, make nothing that lasts, or set what they set already. */
export const harmless = [
  'POST /feed/collection',
  'POST /feed/record/read',
  'POST /feed/record/unread',
  'POST /feed/stream/token',
  'POST /queue/worker/pause',
  'POST /queue/worker/resume',
  'POST /bus/access',
  'POST /media/video/{digest}/preview',
  'POST /fulltext/document',
  'POST /fulltext/documents',
  'POST /typeahead/document',
  'POST /typeahead/documents',
  'POST /sms/blacklist',
  'POST /otp/limit/sms',
  'POST /otp/limit/call',
  'POST /otp/limit/email',
  'POST /otp/limit/chatapp',
  'POST /notification/notifications',
  'POST /notification/notification/preview',
  'POST /delivery/delivery/cancel',
  'POST /delivery/delivery/pause',
  'POST /delivery/delivery/resume',
  'POST /pdf/pdf',
  'POST /signature/signature/verify',
]

/** A parameter is their key: with the same value they are the same. */
export const uuids = { 'POST /bus/document': 'uuid' }
