// Formats the status and the amount of a payment for the console's payment pages.
import type { Reply } from '#client/index'

type Row = Reply<'payment', 'post', '/transactions'>['transactions'][number]

/** The status of a payment as a word. */
export const stateOf = (status: Row['status']) => (status === 1 ? 'completed' : 'received')

/** Formats an amount given in hundredths in the unit of its currency, without rounding. */
export function amountOf({ sum_minor, currency }: Pick<Row, 'sum_minor' | 'currency'>): string {
  const hundredths = String(sum_minor % 100).padStart(2, '0')
  return `${Math.floor(sum_minor / 100).toLocaleString('en')}.${hundredths} ${currency}`
}
