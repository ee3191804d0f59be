// Tests the dry run of a deployment.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { prepare } from './prepare.ts'
import { container } from './project.ts'

describe.concurrent('npm run deploy -- --dry-run', { timeout: 900_000 }, () => {
  test('builds every component without an account, a network or Docker', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    project.write(container)
    const { code, lines } = await project.deploy(['--dry-run'], {
      CLOUDFLARE_API_TOKEN: '',
      WRANGLER_DOCKER_BIN: '/no/docker',
    })
    expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      'component kB gzip kB bindings',
      'beta 1 1 DB d1',
      'alpha 1 1 DB d1, FILES r2, THING object, BETA service',
      'box 1 1 BOX object',
      'gateway 1 1 ALPHA service, BETA service, ASSETS assets',
    ])
    expect(code).toBe(0)
    expect(readFileSync(join(project.root, '.build/deploy/beta/index.js'), 'utf8')).toContain('new Response("beta")')
    expect([...cloudflare.calls, ...cloudflare.unexpectedRequests]).toEqual([])
  })

  test('names each component that does not build or is too large', async (context) => {
    const { expect } = context
    const { project } = await prepare(context)
    project.write({
      'workers/alpha/index.ts': "export { Thing as default } from './absent.ts'",
      'workers/beta/index.ts': `export default { fetch: () => new Response('${'x'.repeat(68_000_000)}') }`,
    })
    const { code, lines } = await project.deploy(['--dry-run'])
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^alpha does not build: .*Could not resolve ".\/absent.ts"/),
      'beta has 68001 kB, above the limit of 67109 kB',
    ])
  })
})
