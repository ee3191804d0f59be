// Bindings and servers that the delivery tests need; the test runner reads this file.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  bindings: { DELIVERY_SECRET: 'the secret of the tests', ALLOW_PRIVATE_TARGETS: 'true' },
  servers: ['target'],
}
