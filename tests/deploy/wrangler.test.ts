// Tests how the reason of a failure is found in wrangler's output.
import { expect, test } from 'vitest'
import { reasonOf } from '../../scripts/deploy/wrangler.ts'

test.each([
  [
    '\u001b[31m✘ \u001b[41m[\u001b[97mERROR\u001b[41m]\u001b[0m It failed.\n\n  Because [code: 1]\n  \n  Open an issue\n',
    'It failed. Because [code: 1]',
  ],
  ['✘ [ERROR] One\n\n    src/a.ts:1:2:\n\n✘ [ERROR] Two\n', 'One src/a.ts:1:2:; Two'],
  ['Only a last line\n', 'Only a last line'],
  ['', 'wrangler failed, and did not say why'],
  [
    "✘ [ERROR] In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
    'wrangler is not logged in: set CLOUDFLARE_API_TOKEN, or run npx wrangler login',
  ],
])('finds the reason in %j', (output, reason) => {
  expect(reasonOf(output)).toBe(reason)
})
