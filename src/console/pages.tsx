import type { ComponentType } from 'preact'
import { Badges } from './pages/badge/page.tsx'
import { Bus } from './pages/bus/page.tsx'
import { Catcher } from './pages/catcher/page.tsx'
import { Delivery } from './pages/delivery/page.tsx'
import { Feed } from './pages/feed/page.tsx'
import { Media } from './pages/media/page.tsx'
import { Messages } from './pages/messages/page.tsx'
import { Notification } from './pages/notification/page.tsx'
import { Otp } from './pages/otp/page.tsx'
import { Overview } from './pages/overview.tsx'
import { Payment } from './pages/payment/page.tsx'
import { Pdf } from './pages/pdf/page.tsx'
import { Queue } from './pages/queue/page.tsx'
import { Search } from './pages/search/page.tsx'
import { Signatures } from './pages/signature/page.tsx'
import type { PageOf } from './route.ts'

interface Listed {
  /** Its name in the address. */
  name: string
  title: string
  page: ComponentType<PageOf>
}

/** All pages as the navigation has them, by what they are about. */
export const groups: { title: string; pages: Listed[] }[] = [
  { title: 'All', pages: [{ name: '', title: 'Overview', page: Overview }] },
  {
    title: 'Data',
    pages: [
      { name: 'media', title: 'Media', page: Media },
      { name: 'search', title: 'Search', page: Search },
      { name: 'feed', title: 'Feed', page: Feed },
      { name: 'badge', title: 'Badges', page: Badges },
      { name: 'signature', title: 'Signatures', page: Signatures },
    ],
  },
  {
    title: 'Messages',
    pages: [
      { name: 'delivery', title: 'Deliveries', page: Delivery },
      { name: 'notification', title: 'Notifications', page: Notification },
      { name: 'messages', title: 'Messages', page: Messages },
      { name: 'otp', title: 'One-time passwords', page: Otp },
    ],
  },
  {
    title: 'Work',
    pages: [
      { name: 'queue', title: 'Queue', page: Queue },
      { name: 'bus', title: 'Bus', page: Bus },
      { name: 'payment', title: 'Payments', page: Payment },
      { name: 'pdf', title: 'PDF', page: Pdf },
      { name: 'catcher', title: 'Catcher', page: Catcher },
    ],
  },
]

/** The page of that name. */
export const pageOf = (name: string): Listed | undefined =>
  groups.flatMap(({ pages }) => pages).find((page) => page.name === name)
