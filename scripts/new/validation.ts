// Checks the name and the summary of a component that `npm run new` shall generate.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type NewComponent, templateFiles } from './write.ts'

/** Paths that the gateway serves itself, so that no component may have these names. */
const gatewayPaths = ['console', 'docs']

/** The reason why a component cannot have this name or summary, or undefined. */
export function validationErrorOf(template: NewComponent): string | undefined {
  const { name, summary } = template
  if (!/^[a-z][a-z0-9]{1,29}$/.test(name))
    return 'The name must have 2 to 30 lower-case letters and digits, and begin with a letter.'
  if (isReserved(name)) return `${name} is a word of TypeScript. Choose another name.`
  if (gatewayPaths.includes(name)) return `/${name} is a path of the gateway. Choose another name.`
  if (importedNames().has(name)) return `${name} is a name that the code of components imports. Choose another name.`
  const folders = ['src', 'workers', 'tests', 'containers', 'migrations', 'src/console/pages']
  const taken = [...folders.map((folder) => `${folder}/${name}`), ...templateFiles(template).keys()].find((path) =>
    existsSync(path),
  )
  if (taken) return `${taken} exists already. Choose another name.`
  if (!/^[^'`|\\$\n]{1,200}$/.test(summary))
    return "The summary must be one line of at most 200 characters, without any of ' ` | \\ $."
  return undefined
}

/** Whether a name is a reserved word of JavaScript, which the generated code cannot use for a constant. */
function isReserved(name: string): boolean {
  try {
    // A module is strict and allows `await`; an async function has the same reserved words.
    new Function(`'use strict'; async () => { const ${name} = 0 }`)
    return false
  } catch {
    return true
  }
}

/** The names that the generated files import. A component with such a name would declare the name twice. */
function importedNames(): Set<string> {
  const files = globSync(resolve(import.meta.dirname, 'template/**/*.txt'))
  return new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^import (?:type )?(?:\{([^}]+)\}|\* as (\w+))/gm)].flatMap(
        ([, list = '', all = '']) => [all, ...list.split(',').map((one) => one.replace(/^ *(?:type )?/, '').trim())],
      ),
    ),
  )
}
