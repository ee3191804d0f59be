import type { Reason } from './driver.ts'

/** Maps Twilio's error codes to the reasons of this component: https://www.twilio.com/docs/api/errors */
export const reasons: Record<number, Reason> = {
  // Account is not active.
  10001: 'forbidden',
  // Message rate limit exceeded.
  14107: 'throttled',
  20003: 'credentials',
  // Not active, potentially out of funds.
  20005: 'balance',
  20429: 'throttled',
  // Recipient's number: missing, premium, unreachable, not allowed, invalid.
  21201: 'phone',
  21202: 'phone',
  21211: 'phone',
  21214: 'phone',
  21216: 'forbidden',
  21217: 'phone',
  // Geographic permissions: calls, messages.
  21203: 'forbidden',
  21215: 'forbidden',
  21408: 'forbidden',
  // Sender: not verified, invalid, missing.
  21210: 'sender',
  21212: 'sender',
  21213: 'sender',
  21603: 'sender',
  21606: 'sender',
  21607: 'sender',
  21659: 'sender',
  21660: 'sender',
  // Messaging service: does not exist, has no numbers, invalid.
  21701: 'sender',
  21703: 'sender',
  21705: 'sender',
  // A trial account may only use verified numbers.
  21219: 'forbidden',
  21608: 'forbidden',
  // The recipient has unsubscribed.
  21610: 'unsubscribed',
  // The sender's queue is full.
  21611: 'throttled',
  21604: 'phone',
  21612: 'phone',
  21614: 'phone',
  21602: 'text',
  21605: 'text',
  21617: 'text',
  21619: 'text',
  21658: 'text',
  // The daily message limit is reached.
  63038: 'throttled',
}
