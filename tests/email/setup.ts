// Servers that the email tests need; the test runner reads this file.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  servers: ['smtp'],
}
