import type { Reason } from './driver.ts'

/** Maps Twilio's error codes to the reasons of this component: https://www.twilio.com/docs/api/errors */
export const reasons: Record<number, Reason> = {
  // Twilio error 10001: the account is not active.
  10001: 'forbidden',
  // Twilio error 14107: too many messages.
  14107: 'throttled',
  20003: 'credentials',
  // Twilio error 20005: the account is not active, probably because it has no funds.
  20005: 'balance',
  20429: 'throttled',
  // Twilio errors about the recipient's number: it is missing, has a premium rate, cannot be reached, or is not allowed or
  // invalid.
  21201: 'phone',
  21202: 'phone',
  21211: 'phone',
  21214: 'phone',
  21216: 'forbidden',
  21217: 'phone',
  // Twilio errors about the recipient's country: the account has no permission for calls or messages to it.
  21203: 'forbidden',
  21215: 'forbidden',
  21408: 'forbidden',
  // Twilio errors about the sender: it is not verified, invalid or missing.
  21210: 'sender',
  21212: 'sender',
  21213: 'sender',
  21603: 'sender',
  21606: 'sender',
  21607: 'sender',
  21659: 'sender',
  21660: 'sender',
  // Twilio errors about the messaging service: it does not exist, has no numbers or is invalid.
  21701: 'sender',
  21703: 'sender',
  21705: 'sender',
  // Twilio errors of a trial account: it may only write to verified numbers.
  21219: 'forbidden',
  21608: 'forbidden',
  // Twilio error 21610: the recipient has opted out (STOP).
  21610: 'unsubscribed',
  // Twilio error 21611: the queue of the sender is full.
  21611: 'throttled',
  21604: 'phone',
  21612: 'phone',
  21614: 'phone',
  21602: 'text',
  21605: 'text',
  21617: 'text',
  21619: 'text',
  21658: 'text',
  // Twilio error 63038: the account has reached its messages per day.
  63038: 'throttled',
}
