// Makes the signed data of the recipes with the programs of this machine.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { has } from '../../../scripts/lib/programs.ts'
import { content, externalXml, keys, serial, subjectOf } from './keys.ts'
import { type Recipe, recipes, textOf } from './recipes.ts'

/**
 * Makes all signed data that the programs of this machine can make, in a folder. Returns the files by name in base64,
 * without those that a program refuses to make.
 */
export function makeSigned(folder: string): Record<string, string> {
  if (!has('openssl')) return {}
  const run = (program: string, args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'content'), content)
  writeFileSync(join(folder, 'external.xml'), externalXml)
  makeKeys(run)
  const made: Record<string, string> = {}
  for (const [name, recipe] of Object.entries(recipes)) {
    if (!has(recipe.program)) continue
    unlessRefused(name, () => {
      run(recipe.program, argsOf(recipe, folder))
      made[name] = readFileSync(join(folder, 'out')).toString('base64')
    })
  }
  return made
}

/**
 * Runs `make`, and ignores that a program refuses: versions differ in the algorithms that they sign with. The fixtures
 * in the repository have all of them.
 */
function unlessRefused(name: string, make: () => void): void {
  try {
    make()
  } catch (error) {
    if (!(error instanceof Error && 'status' in error)) throw error
    console.warn(`The programs of this machine do not make ${name}`)
  }
}

type Run = (program: string, args: string[]) => Buffer

function makeKeys(run: Run): void {
  const parameters = ['-pkeyopt', 'dsa_paramgen_bits:2048', '-pkeyopt', 'dsa_paramgen_q_bits:256']
  unlessRefused('parameters of DSA', () =>
    run('openssl', ['genpkey', '-genparam', '-algorithm', 'DSA', ...parameters, '-out', 'dsa.parameters']),
  )
  for (const [name, args] of Object.entries(keys)) unlessRefused(`the key ${name}`, () => makeKey(run, name, args))
}

function makeKey(run: Run, name: string, args: string[]): void {
  run('openssl', ['genpkey', ...args, '-out', `${name}.key`])
  const named = ['-set_serial', `0x${serial}`, '-utf8', '-subj', subjectOf(name).given, '-days', '3650']
  run('openssl', ['req', '-x509', '-new', '-key', `${name}.key`, '-out', `${name}.crt`, ...named])
}

function argsOf(recipe: Recipe, folder: string): string[] {
  const { program, key, args = [], template = {} } = recipe
  if (program === 'openssl') {
    const signer = ['-signer', `${key}.crt`, '-inkey', `${key}.key`]
    return ['cms', '-sign', '-binary', '-in', 'content', '-out', 'out', ...signer, ...args]
  }
  writeFileSync(join(folder, 'template.xml'), textOf(recipe))
  const isHmac = template.method?.includes('hmac')
  writeFileSync(join(folder, 'hmac.key'), 'a secret that both of them know')
  const secret = isHmac ? ['--hmackey', 'hmac.key'] : ['--privkey-pem', `${key}.key,${key}.crt`]
  return ['--sign', '--output', 'out', ...secret, ...idAttributes, 'template.xml']
}

const idAttributes = ['--id-attr:Id', 'urn:usual:item']
