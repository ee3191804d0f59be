// Variables and servers with which the test runner starts the tests of the bus.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  bindings: {
    BOX_ADMIN_SECRET: 'the secret of the tests',
    BOX_SECRET_KEY: 'the key of the tests',
    QUEUE_BACK_URL: 'http://bus.test',
    ALLOW_PRIVATE_TARGETS: 'true',
  },
  servers: ['target'],
}
