// Metadata of the component `otp`, as plain data: the gateway, the queue, the console and the scripts read it.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'otp',
  title: 'One-time passwords',
  summary: 'One-time passwords by SMS, voice call, email and messenger bot, with exact limits of sends and attempts',
  group: 'Messages',
  // The queue sends to servers of others. A limit per flow key keeps a slow server from delaying the tasks for the rest.
  queueWorker: { daemons: 16, keyConcurrency: 4 },
  repeats: {
    // A check must not be repeated: a wrong password counts, and a correct one is used up.
    once: ['GET /sms/check', 'GET /call/check', 'GET /email/check', 'GET /chatapp/check'],
    harmless: [
      ...['POST /limit/sms', 'POST /limit/call', 'POST /limit/email', 'POST /limit/chatapp'],
      ...['POST /target', 'POST /password', 'POST /messages'],
    ],
  },
} satisfies Manifest
