// Tests that a deployment stops with one clear line for each mistake of its user.
import { describe, test } from 'vitest'
import { prepare } from './prepare.ts'

describe.concurrent('npm run deploy', { timeout: 900_000 }, () => {
  test('prints the error of the API on one line, and stops', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    cloudflare.fate.refused = 'PUT workers/scripts/beta'
    const { code, lines } = await project.deploy()
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatch(
      /^beta: A request to the Cloudflare API \(.+\) failed\. The test refuses \[code: 7000\]/,
    )
    expect([...cloudflare.scripts.keys()]).toEqual([])
    expect(cloudflare.calls.filter((call) => call.startsWith('PUT'))).toEqual(['PUT workers/scripts/beta'])
  })

  test('reports that wrangler is not logged in', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    const without = await project.deploy([], { CLOUDFLARE_API_TOKEN: '' })
    expect(without).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^wrangler is not logged in: set CLOUDFLARE_/)],
    })
    const refused = await project.deploy([], { CLOUDFLARE_API_TOKEN: 'another-token' })
    expect(refused).toMatchObject({ code: 1, lines: [expect.stringContaining('Authentication error [code: 10000]')] })
    expect(refused.output).not.toContain('another-token')
    expect(cloudflare.unexpectedRequests).toEqual([])
  })

  test.for<[string, string[], Record<string, string>, string]>([
    ['an unknown component', ['omega'], {}, 'No component is named omega. Choose from alpha, beta, gateway'],
    ['an unknown option', ['--force'], {}, "Unknown option '--force'"],
    ['a missing secrets file', ['--secrets', 'none.env'], {}, 'The secrets file none.env does not exist'],
    ['LOCAL', [], { '.deploy/secrets.env': 'alpha.LOCAL=true' }, 'The secrets file sets LOCAL'],
    ['a configuration that is no TOML', [], { 'workers/beta/wrangler.toml': 'name = ' }, 'wrangler.toml is not TOML: '],
    [
      'a configuration without a name',
      [],
      { 'workers/beta/wrangler.toml': 'main = "x"' },
      'workers/beta/wrangler.toml: name',
    ],
    [
      'an address of a Postgres that is none',
      ['beta'],
      { '.deploy/secrets.env': 'OPEN=true\nDATABASE_URL=secret-nonsense' },
      'The Postgres address of beta is invalid: DATABASE_URL must be a URL',
    ],
  ])('refuses %s', async ([_, args, files, line], context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    project.write(files)
    const { code, lines } = await project.deploy(args)
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(line)
    expect(cloudflare.calls).toEqual([])
  })

  test('prints its usage', async (context) => {
    const { expect } = context
    const { project } = await prepare(context)
    const { code, output } = await project.deploy(['--help'])
    expect(code).toBe(0)
    expect(output).toContain('npm run deploy -- [component ...] [options]')
  })
})
