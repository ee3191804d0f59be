// The test server that the signature tests need: signed data made with the keys in tests/support/signed.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  servers: ['signed'],
}
