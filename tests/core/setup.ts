// Variables and servers that the tests of core need.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  servers: ['deaf', 'target'],
}
