import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  servers: ['signed'],
}
