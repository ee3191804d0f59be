import { manifest as access } from '#access/manifest'
import { manifest as badge } from '#badge/manifest'
import { manifest as bus } from '#bus/manifest'
import { manifest as catcher } from '#catcher/manifest'
import type { Manifest } from '#core/manifest'
import { manifest as delivery } from '#delivery/manifest'
import { manifest as email } from '#email/manifest'
import { manifest as feed } from '#feed/manifest'
import { manifest as media } from '#media/manifest'
import { manifest as notification } from '#notification/manifest'
import { manifest as otp } from '#otp/manifest'
import { manifest as payment } from '#payment/manifest'
import { manifest as pdf } from '#pdf/manifest'
import { manifest as queue } from '#queue/manifest'
import { fulltext, typeahead } from '#search/manifest'
import { manifest as signature } from '#signature/manifest'
import { manifest as sms } from '#sms/manifest'

/** All components, in the order of the console's navigation, the guide and the README. */
export const manifests: readonly Manifest[] = [
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
]

/** The manifest of a component. */
export const manifestOf = (component: string): Manifest | undefined => manifests.find(({ name }) => name === component)

/** The prefix of a component's pages on itself: `/_health`, `/_metrics`, `/_docs` and `/_openapi.json`. */
export const ownPrefixOf = (component: string): string => manifestOf(component)?.ownPaths?.[0] ?? ''
