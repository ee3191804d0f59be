// Variables with which the test runner starts the tests of the PDF component.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  bindings: { ALLOW_PRIVATE_TARGETS: 'true' },
}
