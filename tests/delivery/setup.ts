import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  bindings: { DELIVERY_SECRET: 'the secret of the tests', ALLOW_PRIVATE_TARGETS: 'true' },
  servers: ['target'],
}
