// Tests how deployments set and remove variables and secrets.
import { describe, test } from 'vitest'
import { prepare } from './prepare.ts'

describe.concurrent('npm run deploy, of variables', { timeout: 900_000 }, () => {
  test('removes variables that an earlier deployment set and the file no longer has, from another checkout', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(
      context,
      'AUTH_TOKENS=abcdefgh\nbeta.OPEN=true\nbeta.ALLOW_PRIVATE_TARGETS=true',
    )
    expect((await project.deploy(['beta'])).code).toBe(0)
    const other = await prepare(context, 'AUTH_TOKENS=abcdefgh', cloudflare)
    cloudflare.setSecret('beta', 'BY_HAND')
    const { code, lines } = await other.project.deploy(['beta'])
    expect(lines.slice(-2)).toEqual([
      'beta: removed ALLOW_PRIVATE_TARGETS, OPEN',
      'beta: keeps BY_HAND, which no deployment has set',
    ])
    expect(code).toBe(0)
    expect(Object.keys(bindings('beta')).sort()).toEqual(['AUTH_TOKENS', 'BY_HAND', 'DB', 'DEPLOYED_NAMES'])
    expect(bindings('beta').DEPLOYED_NAMES).toEqual({ type: 'plain_text', text: 'AUTH_TOKENS' })
    expect(cloudflare.unexpectedRequests).toEqual([])
  })

  test('completes an interrupted removal, from another checkout', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context, 'beta.OPEN=true')
    expect((await project.deploy(['beta'])).code).toBe(0)
    project.write({ '.deploy/secrets.env': 'AUTH_TOKENS=abcdefgh' })
    cloudflare.fate.cut = { call: 'PATCH workers/scripts/beta/secrets-bulk', by: () => project.stop('SIGKILL') }
    expect((await project.deploy(['beta'])).code).toBeNull()
    cloudflare.setSecret('beta', 'OPEN')
    const other = await prepare(context, 'AUTH_TOKENS=abcdefgh', cloudflare)
    expect((await other.project.deploy(['beta'])).lines.at(-1)).toBe('beta: removed OPEN')
    expect(bindings('beta').OPEN).toBeUndefined()
  })

  test('stops before the first upload if a key of stored data would be removed without --remove', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context, 'OPEN=true\nOTP_SECRET=the-key-of-all')
    expect((await project.deploy()).code).toBe(0)
    expect(bindings('alpha').OTP_SECRET).toEqual({ type: 'secret_text', text: 'the-key-of-all' })
    expect(bindings('beta').OTP_SECRET).toBeUndefined()
    const before = cloudflare.scripts.get('beta')!.version
    project.write({ '.deploy/secrets.env': 'OPEN=true' })
    const refused = await project.deploy()
    expect(refused.code).toBe(1)
    expect(refused.lines).toEqual([
      'alpha: the secrets file has no OTP_SECRET, which the deployed Worker has. Add the line, or remove the secret with --remove OTP_SECRET',
    ])
    expect(cloudflare.scripts.get('beta')!.version).toBe(before)
    const removed = await project.deploy(['--remove', 'OTP_SECRET', '--remove', 'NOT_THERE'])
    expect(removed.lines).toEqual(
      expect.arrayContaining(['alpha: removed OTP_SECRET', 'No deployed Worker has NOT_THERE']),
    )
    expect(removed.code).toBe(0)
    expect(bindings('alpha').OTP_SECRET).toBeUndefined()
  })

  test('removes variables that an older deployment set on every Worker', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context, 'OPEN=true\nOTP_SECRET=the-key-of-all')
    expect((await project.deploy()).code).toBe(0)
    cloudflare.setSecret('beta', 'OTP_SECRET')
    cloudflare.forgetNames('beta')
    const { code, lines } = await project.deploy(['beta'])
    expect(lines.at(-1)).toBe('beta: removed OTP_SECRET')
    expect(code).toBe(0)
    expect(Object.keys(bindings('beta')).sort()).toEqual(['DB', 'DEPLOYED_NAMES', 'OPEN'])
  })

  test('stops before the first upload if an older deployment has a key that the file lacks', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context)
    expect((await project.deploy()).code).toBe(0)
    cloudflare.setSecret('alpha', 'OTP_SECRET')
    cloudflare.forgetNames('alpha')
    const calls = cloudflare.calls.length
    const { code, lines } = await project.deploy()
    expect(lines).toEqual([expect.stringMatching(/^alpha: the secrets file has no OTP_SECRET, /)])
    expect(code).toBe(1)
    expect(cloudflare.calls.slice(calls).filter((call) => !call.startsWith('GET'))).toEqual([])
    expect(bindings('alpha').OTP_SECRET).toBeDefined()
  })

  test('names variables that no Worker reads, and missing required ones', async (context) => {
    const { expect } = context
    const { project, bindings } = await prepare(context, 'OPEN=true\nOTP_SECRT=a-misspelt-name')
    project.write({ 'workers/beta/wrangler.toml': required })
    const { code, lines } = await project.deploy(['beta'])
    expect(lines.slice(0, 2)).toEqual([
      'Warning: the secrets file has no beta.BETA_KEY: without it that component answers 503 not_configured',
      'Warning: no component reads OTP_SECRT, so no Worker gets it; component.NAME sets a variable regardless',
    ])
    expect(code).toBe(0)
    expect(Object.keys(bindings('beta')).sort()).toEqual(['DEPLOYED_NAMES', 'OPEN'])
  })

  test('stops if --remove names a variable of the file', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    const { code, lines } = await project.deploy(['beta', '--remove', 'beta.OPEN'])
    expect(lines).toEqual(['The secrets file has OPEN for beta: remove the line, or leave out --remove'])
    expect(code).toBe(1)
    expect([...cloudflare.scripts.keys()]).toEqual([])
  })
})

const required = `
name = "beta"
main = "index.ts"
compatibility_date = "2026-11-01"
workers_dev = false
[secrets]
required = ["BETA_KEY"]
`
