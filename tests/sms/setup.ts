// Servers that the SMS tests need; the test runner reads this file.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  servers: ['target', 'sms-providers'],
}
