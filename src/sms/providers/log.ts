import type { Driver } from './driver.ts'

/** Driver that sends nothing. Messages appear in the log and, with their texts on a local start, at `GET /messages`. */
export const log: Driver = {
  kinds: ['sms', 'call'],
  send: async () => ({ state: 'sent', provider_id: null }),
}
