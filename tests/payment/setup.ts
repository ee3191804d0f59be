// Variables and servers with which the test runner starts the tests of the payment component.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  bindings: { PAYMENT_PUBLIC_ID: 'pk_tests', ALLOW_PRIVATE_TARGETS: 'true' },
  servers: ['target'],
}
