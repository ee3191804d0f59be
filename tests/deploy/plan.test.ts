// Tests which secrets a deployment removes, keeps or requires.
import { describe, expect, test } from 'vitest'
import type { WorkerProject } from '../../scripts/deploy/components.ts'
import type { DeployedWorker } from '../../scripts/deploy/deployed.ts'
import { planVariables } from '../../scripts/deploy/plan.ts'
import { parseSecrets } from '../../scripts/deploy/secrets.ts'

const otp: WorkerProject = {
  name: 'otp',
  file: 'workers/otp/wrangler.toml',
  config: { name: 'otp' },
  reads: { names: ['AUTH_TOKENS', 'DATABASE_URL', 'OTP_SECRET', 'PG_HOST'], prefixes: [] },
}

/** Plans the deployment of a secrets file to a Worker with these secrets. */
const plan = (file: string, { secrets, names }: Partial<DeployedWorker>, remove: string[] = []) =>
  planVariables(
    [otp],
    new Map([['otp', { secrets: secrets ?? [], services: [], names }]]),
    parseSecrets(file, ['otp']),
    remove,
  ).get('otp')!

const missing = (name: string) =>
  `otp: the secrets file has no ${name}, which the deployed Worker has. Add the line, or remove the secret with --remove ${name}`

describe('after a deployment without stored names', () => {
  test.each(['OTP_SECRET', 'DATABASE_URL', 'PG_HOST'])('stops if the file lacks %s', (name) => {
    expect(() => plan('AUTH_TOKENS=a', { secrets: [name] })).toThrow(missing(name))
  })

  test('continues if the file has the protected secret, or --remove names it', () => {
    const secrets = ['OTP_SECRET', 'AUTH_TOKENS']
    expect(plan('AUTH_TOKENS=a\nOTP_SECRET=b', { secrets })).toMatchObject({ removed: [], kept: [] })
    expect(plan('AUTH_TOKENS=a', { secrets }, ['OTP_SECRET'])).toMatchObject({ removed: ['OTP_SECRET'], kept: [] })
  })

  test('keeps other secrets, and protected ones that the Worker does not read', () => {
    const secrets = ['BY_HAND', 'QUEUE_SECRET']
    expect(plan('AUTH_TOKENS=a', { secrets })).toMatchObject({ removed: [], kept: secrets })
  })
})

describe('after a deployment with stored names', () => {
  test.each(['DATABASE_URL', 'PG_HOST'])('stops if the file lacks %s, also one that was set by hand', (name) => {
    for (const names of [['AUTH_TOKENS'], ['AUTH_TOKENS', name]])
      expect(() => plan('AUTH_TOKENS=a', { secrets: [name], names })).toThrow(missing(name))
  })

  test('keeps a protected secret that was set by hand', () => {
    expect(plan('AUTH_TOKENS=a', { secrets: ['OTP_SECRET'], names: ['AUTH_TOKENS'] })).toMatchObject({
      removed: [],
      kept: ['OTP_SECRET'],
    })
  })
})
