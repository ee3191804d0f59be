import { badge } from './badge.ts'
import { bus } from './bus.ts'
import { pdf, signature } from './documents.ts'
import { feed } from './feed.ts'
import { media } from './media.ts'
import { email, notification, otp, sms } from './messages.ts'
import type { Costed } from './operation.ts'
import { fulltext, typeahead } from './search.ts'
import { catcher, delivery, payments, queue } from './work.ts'

/** By component. */
export const operations: Record<string, Costed> = {
  badge,
  bus,
  catcher,
  delivery,
  email,
  feed,
  fulltext,
  media,
  notification,
  otp,
  payment: payments,
  pdf,
  queue,
  signature,
  sms,
  typeahead,
}
