// What the tests of each component need besides its configuration: bindings, Workers that stand in, and servers.

/**
 * Workers of the queue, `one-0` with one daemon, `dozen-0` with twelve and so on: each test has its own. Those named `keyed`
 * run at most two tasks of a key at a time.
 */
const queueWorkers = Object.fromEntries(
  Object.entries({ one: 1, two: 2, dozen: 12, keyed: { daemons: 8, per_key: { concurrency: 2 } } }).flatMap(
    ([name, daemons]) => Array.from({ length: 30 }, (_, i) => [`${name}-${i}`, daemons]),
  ),
)

/** Variables and secrets of the tests. */
export const bindings: Record<string, Record<string, string>> = {
  queue: {
    QUEUE_SECRET: 'the secret of the tests',
    QUEUE_WORKERS: JSON.stringify(queueWorkers),
    ALLOW_PRIVATE_TARGETS: 'true',
  },
  bus: {
    BOX_ADMIN_SECRET: 'the secret of the tests',
    QUEUE_BACK_URL: 'http://bus.test',
    ALLOW_PRIVATE_TARGETS: 'true',
  },
  otp: { OTP_SECRET: 'the secret of the tests' },
  payment: { PAYMENT_PUBLIC_ID: 'pk_tests', ALLOW_PRIVATE_TARGETS: 'true' },
  pdf: { ALLOW_PRIVATE_TARGETS: 'true' },
  delivery: {
    DELIVERY_SECRET: 'the secret of the tests',
    ALLOW_PRIVATE_TARGETS: 'true',
  },
}

/** Stand-ins for the Workers that the component's configuration binds. A test that calls one binds its own. */
export const standIns: Record<string, string[]> = {
  bus: ['queue'],
  media: ['media-container'],
  email: ['media'],
  pdf: ['chromium-container'],
  otp: ['queue'],
  notification: ['queue'],
  delivery: ['queue', 'sms', 'email', 'feed'],
}

/** Servers that the tests call, each a global setup in `tests/support`, besides the Postgres that all components have. */
export const servers: Record<string, string[]> = {
  core: ['deaf', 'target'],
  queue: ['target'],
  bus: ['target'],
  sms: ['target', 'sms-providers'],
  email: ['smtp'],
  otp: ['bot'],
  delivery: ['target'],
  payment: ['target'],
  media: ['media-clips', 'media-pictures', 'media-container'],
  signature: ['signed'],
}
