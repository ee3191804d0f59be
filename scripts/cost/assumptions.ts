// The assumptions of the worked bills in docs/costs.md: a day of a user, and the number of users.

/** How often a user's day has an operation, as `component operation` of the tables. */
export const userDay: Record<string, number> = {
  'feed GET /records, 25 of 50': 10,
  'feed GET /records/count, the unread of 50': 20,
  'feed POST /record': 1,
  'feed POST /record/read': 3,
  'badge GET /counters, of three names': 20,
  'badge POST /badge, of two segments': 1,
  'media GET /image, one that was made': 38,
  'media GET /image, a thumbnail that is new': 0.5,
  'media POST /image, a photo': 0.1,
  'media POST /video, until it is mp4': 0.01,
  'typeahead GET /documents, two words, index of one': 5,
  'typeahead POST /document, index of one': 0.1,
  'otp POST /sms, until it is sent': 0.05,
  'otp GET /sms/check, right': 0.05,
  'notification POST /notify, by SMS, until it is sent': 0.1,
  'queue POST /task, until it is made': 0.5,
  'payment GET /pub/card': 0.02,
  'payment POST /pay, with its webhook': 0.02,
  'pdf POST /pdf, one page': 0.02,
}

/** The work of the cron trigger. */
export const everyMinute = 'gateway the work of every minute, in all components'

export const daysPerMonth = 30
export const secondsPerMonth = daysPerMonth * 86_400

/** Bytes in R2 of an image with its thumbnails, and of a video with its frames. */
export const storedBytes: Record<string, number> = {
  'media POST /image, a photo': 300_000,
  'media POST /video, until it is mp4': 5_000_000,
}

/** What an isolate does to send its metrics, and how often at most. */
export const flush = { everySeconds: 10, rowsWritten: 6, rowsRead: 4 }

/** Operations that end with a task of the queue, whose object stays active for `flush.everySeconds` to count the task. */
export const withTask = [
  'otp POST /sms, until it is sent',
  'notification POST /notify, by SMS, until it is sent',
  'queue POST /task, until it is made',
]

/** Operations by the container that they need. */
export const inContainers = [['media POST /video, until it is mp4'], ['pdf POST /pdf, one page']]

export interface BillScale {
  title: string
  /** The users, or the requests a second from which their number follows. */
  users?: number
  requestsPerSecond?: number
  /** Isolates of all components that serve requests at a time. */
  isolates: number
}

export const scales: BillScale[] = [
  { title: '10 users', users: 10, isolates: 20 },
  { title: '10 000 users', users: 10_000, isolates: 20 },
  { title: '1 000 requests per second', requestsPerSecond: 1_000, isolates: 200 },
]
