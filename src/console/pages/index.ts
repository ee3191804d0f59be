// The pages of the console, one for each folder here. Written by `npm run manifests`.
import type { ComponentType } from 'preact'
import type { PageOf } from '../route.ts'
import access from './access/page.tsx'
import badge from './badge/page.tsx'
import bus from './bus/page.tsx'
import catcher from './catcher/page.tsx'
import delivery from './delivery/page.tsx'
import feed from './feed/page.tsx'
import media from './media/page.tsx'
import messages from './messages/page.tsx'
import notification from './notification/page.tsx'
import otp from './otp/page.tsx'
import payment from './payment/page.tsx'
import pdf from './pdf/page.tsx'
import queue from './queue/page.tsx'
import search from './search/page.tsx'
import signature from './signature/page.tsx'

/** The page of each folder, by its name. */
export const pages: Record<string, ComponentType<PageOf>> = {
  access,
  badge,
  bus,
  catcher,
  delivery,
  feed,
  media,
  messages,
  notification,
  otp,
  payment,
  pdf,
  queue,
  search,
  signature,
}
