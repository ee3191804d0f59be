import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  bindings: { OTP_SECRET: 'the secret of the tests' },
  servers: ['bot'],
}
