import type { Receipt } from './provider.ts'

type States = Record<string, Receipt['state']>

/** https://www.twilio.com/docs/messaging/api/message-resource#message-status-values, of messages that go out. */
export const messageStates: States = {
  accepted: 'accepted',
  scheduled: 'accepted',
  queued: 'accepted',
  sending: 'accepted',
  sent: 'accepted',
  delivered: 'delivered',
  read: 'delivered',
  partially_delivered: 'undelivered',
  undelivered: 'undelivered',
  failed: 'rejected',
  canceled: 'rejected',
}

/** https://www.twilio.com/docs/voice/api/call-resource#call-status-values */
export const callStates: States = {
  queued: 'accepted',
  initiated: 'accepted',
  ringing: 'accepted',
  'in-progress': 'accepted',
  completed: 'delivered',
  busy: 'undelivered',
  'no-answer': 'undelivered',
  failed: 'undelivered',
  canceled: 'rejected',
}
