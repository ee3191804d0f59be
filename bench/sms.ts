// Benchmark of the SMS component.
import type { BenchOperation } from './operation.ts'

export const variables = { SMS_PROVIDER: 'provider_a', PROVIDER_A_DRIVER: 'log' }

/**
 * An operation that sends a message to this number of phones through the driver that sends nothing, which shows the
 * cost of the component itself.
 */
const messages = (count: number): BenchOperation => ({
  name: `POST /sms to ${count} ${count === 1 ? 'phone' : 'phones'}`,
  request: (n) => ({
    method: 'POST',
    path: '/sms',
    body: {
      phones: Array.from({ length: count }, (_, i) => String(77_000_000_000 + ((n * count + i) % 1_000_000_000))),
      message: 'Your order is on its way',
    },
  }),
  floor: 'write',
})

const read: BenchOperation = {
  name: 'GET /messages of one phone',
  request: (n) => ({ method: 'GET', path: `/messages?phone=${77_000_000_000 + (n % 1_000)}` }),
  floor: 'read',
}

export const operations: BenchOperation[] = [messages(1), messages(100), messages(1_000), read]
