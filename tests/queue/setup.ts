import type { TestSetup } from '../../scripts/tests/setup.ts'

// Variables and servers with which the test runner starts the tests of the queue.

/**
 * Workers of the queue: `one-0` to `one-199` with one daemon, `dozen-0` with twelve and so on. Each test uses an unused one. Workers
 * named `keyed` run at most two tasks of a key at a time.
 */
const queueWorkers = Object.fromEntries(
  Object.entries({ one: 1, two: 2, dozen: 12, keyed: { daemons: 8, per_key: { concurrency: 2 } } }).flatMap(
    ([name, daemons]) => Array.from({ length: 200 }, (_, i) => [`${name}-${i}`, daemons]),
  ),
)

export const setup: TestSetup = {
  bindings: {
    QUEUE_SECRET: 'the secret of the tests',
    QUEUE_SIGNING_KEY: Buffer.alloc(32, 5).toString('base64'),
    QUEUE_WORKERS: JSON.stringify(queueWorkers),
    ALLOW_PRIVATE_TARGETS: 'true',
  },
  servers: ['target'],
}
