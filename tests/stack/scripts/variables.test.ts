// Tests which variables of the environment and of .dev.vars a local start passes to components.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { variablesOf } from '../../../scripts/stack/variables.ts'

const nowhere = join(tmpdir(), 'quartermaster-no-such-file')

it('passes possible variables of components', () => {
  const env = { DATABASE_URL: 'postgresql://x', PG_HOST: 'h', AUTH_TOKENS: 'a,b', PROVIDER_A_DRIVER: 'log', EMPTY: '' }
  expect(variablesOf(env, nowhere)).toEqual(env)
})

it('removes variables of the shell, npm and the start itself', () => {
  const env = {
    PATH: '/bin',
    HOME: '/',
    npm_config_x: '1',
    NODE_OPTIONS: '',
    XDG_DATA_HOME: '/',
    LC_ALL: 'C',
    _: 'node',
  }
  expect(variablesOf({ ...env, PORT: '1', STATE_DIR: '.state', INIT_CWD: '/' }, nowhere)).toEqual({})
})

it('reads .dev.vars, which the environment overrides', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-variables-'))
  writeFileSync(join(folder, '.dev.vars'), 'AUTH_TOKENS="from file" # why\nOTHER=kept\n')
  expect(variablesOf({ AUTH_TOKENS: 'from env' }, join(folder, '.dev.vars'))).toEqual({
    AUTH_TOKENS: 'from env',
    OTHER: 'kept',
  })
  rmSync(folder, { recursive: true })
})
