// Bindings and servers that the tests of one-time passwords need; the test runner reads this file.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  bindings: { OTP_SECRET: 'the secret of the tests' },
  servers: ['bot'],
}
