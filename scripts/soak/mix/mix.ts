// The load of each component in a soak test. Written by `npm run manifests`.
import { access } from './access.ts'
import { badge } from './badge.ts'
import { bus } from './bus.ts'
import { pdf, signature } from './documents.ts'
import { feed } from './feed.ts'
import { media } from './media.ts'
import { email, notification, otp, sms } from './messages.ts'
import type { ComponentMix } from './operation.ts'
import { fulltext, typeahead } from './search.ts'
import { catcher, delivery, payment, queue } from './work.ts'

/** The constants of the files in this folder, by component. */
export const mix: Record<string, ComponentMix> = {
  media,
  signature,
  feed,
  badge,
  fulltext,
  typeahead,
  pdf,
  sms,
  email,
  otp,
  notification,
  delivery,
  queue,
  bus,
  payment,
  catcher,
  access,
}
