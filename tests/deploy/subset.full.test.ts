// Tests deployments of some components.
import { execFileSync } from 'node:child_process'
import { describe, test } from 'vitest'
import { prepare } from './prepare.ts'

/** Commits the files of a project, and returns the commit's id. */
function commitAll(cwd: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('add', 'workers')
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '--message', 'feat: begin')
  return git('rev-parse', '--short=12', 'HEAD')
}

describe.concurrent('npm run deploy, of some components', { timeout: 900_000 }, () => {
  test('deploys a component to an empty account, with a gateway that binds only this component', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context)
    const commit = commitAll(project.root)
    const { code, lines } = await project.deploy(['beta'])
    expect(lines).toEqual([
      'gateway: does not bind alpha, which is not deployed',
      'created the database beta',
      'beta: the database beta is up to date',
      'beta: deployed',
      'gateway: deployed to https://gateway.tests.workers.dev, schedule: * * * * *',
    ])
    expect(code).toBe(0)
    expect(Object.keys(bindings('gateway')).sort()).toEqual(['ASSETS', 'BETA', 'DEPLOYED_NAMES'])
    expect(cloudflare.scripts.get('beta')!.annotations).toMatchObject({
      'workers/tag': commit,
      'workers/message': `Commit ${commit}`,
    })
    expect(cloudflare.unexpectedRequests).toEqual([])
  })

  test('leaves out bindings to missing components, and binds those of earlier deployments', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context)
    const first = await project.deploy(['alpha'])
    expect(first.lines).toContain('alpha: does not bind beta, which is not deployed')
    expect(Object.keys(bindings('alpha'))).not.toContain('BETA')
    expect((await project.deploy(['beta'])).lines.at(-1)).toContain('gateway: deployed')
    expect(Object.keys(bindings('gateway')).sort()).toEqual(['ALPHA', 'ASSETS', 'BETA', 'DEPLOYED_NAMES'])
    const again = await project.deploy(['alpha'])
    expect(again.lines).toEqual(['alpha: the database alpha is up to date', 'alpha: deployed'])
    expect(bindings('alpha').BETA).toEqual({ type: 'service', service: 'beta' })
    expect(cloudflare.unexpectedRequests).toEqual([])
  })
})
