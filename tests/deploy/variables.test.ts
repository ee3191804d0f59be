// Tests which variables a deployment sets on each Worker of this repository.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findComponents } from '../../scripts/deploy/components.ts'
import { isProtected } from '../../scripts/deploy/plan.ts'
import { parseSecrets, secretsOf } from '../../scripts/deploy/secrets.ts'
import { isRead } from '../../scripts/deploy/variables.ts'

const workers = findComponents('.')

const readersOf = (name: string) => workers.filter(({ reads }) => isRead(reads, name)).map((worker) => worker.name)

test.each([
  ['OTP_SECRET', ['otp']],
  ['QUEUE_SECRET', ['queue']],
  ['DELIVERY_SECRET', ['delivery']],
  ['BOX_ADMIN_SECRET', ['bus']],
  ['BOX_SIGNING_SECRET', ['bus']],
  ['PAYMENT_API_SECRET', ['payment']],
  ['PAYMENT_SIGNING_SECRET', ['payment']],
  ['SMTP_PASSWORD', ['email']],
  ['DKIM_PRIVATE_KEY', ['email']],
  ['CHATAPP_BOT_TOKEN', ['otp']],
  ['PROVIDER_A_PASSWORD', ['sms']],
  ['PROVIDER_D_RECEIPT_SECRET', ['sms']],
  ['MEDIA_TOKEN', ['email']],
  ['QUEUE_TOKEN', ['bus', 'delivery', 'notification', 'otp']],
  ['CONSOLE', ['gateway']],
])('gives %s to %j alone', (name, readers) => {
  expect(readersOf(name).sort()).toEqual(readers)
})

test('gives variables of access to every Worker except those of containers', () => {
  const components = workers.filter(({ file }) => !file.startsWith('containers/'))
  expect(readersOf('AUTH_TOKENS')).toEqual(components.map(({ name }) => name))
})

test('gives the address of Postgres only to Workers with a D1 database, and to access, whose database is a durable object', () => {
  const stored = workers.filter(({ name, config }) => config.d1_databases || name === 'access').map(({ name }) => name)
  expect(readersOf('DATABASE_URL')).toEqual(stored)
  expect(readersOf('PG_PASSWORD')).toEqual(stored)
})

/**
 * Variables in the guide's tables that no deployed Worker reads: those of the deployment, of a local start, of
 * migrations and of other software.
 */
const elsewhere = new Set([
  'LOG_SAMPLING_RATE',
  'PORT',
  'STATE_DIR',
  'PG_REAL_HOST',
  'PHP_PM_MAX_CHILDREN',
  'PHP_PM_MAX_REQUESTS',
])

/** The names in the first column of the guide's tables of variables. */
const described = globSync('docs/*.md').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^\| variable \|.*\n\|[- |]+\n((?:\|.*\n)+)/gm)].flatMap(([, rows]) =>
    rows!.split('\n').flatMap((row) => {
      const [, first = ''] = row.split('|')
      return [...first.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])`/g)].map(([, name]) => name!)
    }),
  ),
)

test('gives every variable of the guide to a Worker', () => {
  const unread = described.filter((name) => !elsewhere.has(name) && readersOf(name).length === 0)
  expect(unread.filter((name) => !/^(RECEIPT|CALL)_/.test(name))).toEqual([])
  expect(described.length).toBeGreaterThan(70)
})

test('protects every key and secret of the guide, and the address of Postgres', () => {
  const keys = described.filter((name) => /SECRET|KEY/.test(name) && name !== 'RECEIPT_SECRET')
  expect(keys.filter((name) => !isProtected(name))).toEqual([])
  expect(keys).toEqual(expect.arrayContaining(['OTP_SECRET', 'QUEUE_SECRET', 'DELIVERY_SECRET', 'BOX_SIGNING_SECRET']))
  expect(['DATABASE_URL', 'PG_HOST', 'AUTH_TOKENS', 'PG_PORT'].filter(isProtected)).toEqual(['DATABASE_URL', 'PG_HOST'])
})

test('gives a Worker every variable that the file sets for it by name', () => {
  const secrets = parseSecrets('gateway.ANYTHING=1\nOTP_SECRET=2', ['gateway'])
  const gateway = workers.find(({ name }) => name === 'gateway')!
  expect(secretsOf(secrets, gateway)).toEqual({ ANYTHING: '1' })
})

test.each(['chromium', 'media'])('installs exactly the lock file in the image of %s', (name) => {
  const read = (file: string) => readFileSync(`containers/${name}/${file}`, 'utf8')
  const { packages } = JSON.parse(read('package-lock.json'))
  expect(packages[''].dependencies).toEqual(JSON.parse(read('package.json')).dependencies)
  expect(
    Object.entries(packages).filter(([path, entry]) => path && !(entry as { integrity?: string }).integrity),
  ).toEqual([])
  expect(read('Dockerfile')).toMatch(/^COPY .*package-lock\.json/m)
  expect(read('Dockerfile')).toMatch(/^RUN npm ci /m)
})
