import { describe, test } from 'vitest'
import { prepare } from './prepare.ts'

describe.concurrent('npm run deploy, of some components', { timeout: 900_000 }, () => {
  test('deploys a component to an empty account, behind a gateway that binds only what exists', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context)
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
    expect(cloudflare.wrong).toEqual([])
  })

  test('leaves out of a component what is not there, and binds what was deployed earlier', async (context) => {
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
    expect(cloudflare.wrong).toEqual([])
  })
})
