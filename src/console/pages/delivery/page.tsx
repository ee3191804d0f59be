import type { PageOf } from '../../route.ts'
import { Deliveries } from './list.tsx'
import { NewDelivery } from './new.tsx'
import { OneDelivery } from './one.tsx'

/** Deliveries: the list, a new one, or one with its report. */
export default function Delivery({ path: [which, part = 'report'], query }: PageOf) {
  if (which === undefined) return <Deliveries query={query} />
  if (which === 'new') return <NewDelivery />
  return <OneDelivery key={which} id={Number(which)} part={part} query={query} />
}
