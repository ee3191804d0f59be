import type { Reason } from './provider.ts'

/** What Twilio's codes for refusals are about: https://www.twilio.com/docs/api/errors */
export const reasons: Record<number, Reason> = {
  // Account is not active.
  10001: 'forbidden',
  // Message rate limit exceeded.
  14107: 'throttled',
  20003: 'credentials',
  // Not active, potentially out of funds.
  20005: 'balance',
  20429: 'throttled',
  // No number to call; one that is premium, cannot be reached, is not allowed, or is none.
  21201: 'phone',
  21202: 'phone',
  21211: 'phone',
  21214: 'phone',
  21216: 'forbidden',
  21217: 'phone',
  // International permissions: calls, messages.
  21203: 'forbidden',
  21215: 'forbidden',
  21408: 'forbidden',
  // Who sends: not verified, not valid, missing.
  21210: 'sender',
  21212: 'sender',
  21213: 'sender',
  21603: 'sender',
  21606: 'sender',
  21607: 'sender',
  21659: 'sender',
  21660: 'sender',
  // The messaging service: it does not exist, has no numbers, is not valid.
  21701: 'sender',
  21703: 'sender',
  21705: 'sender',
  // A trial account may write and call verified numbers only.
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
  // Daily limit of messages.
  63038: 'throttled',
}
