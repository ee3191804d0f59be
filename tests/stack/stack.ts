// Starts stacks for tests: real components in the local runtime, with a temporary state folder.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { components, type WorkerFiles } from '../../scripts/stack/components.ts'
import { type Stack, type StackOptions, startStack } from '../../scripts/stack/stack.ts'

/** Creates a temporary folder for a test. */
export const temporary = () => mkdtempSync(join(tmpdir(), 'quartermaster-stack-'))

/** Starts a stack on a free port. `dispose` removes its state folder, unless the caller gave one. */
export async function start(options: Partial<StackOptions> = {}): Promise<Stack> {
  const stateDir = options.stateDir ?? temporary()
  const variables = { STRICT_ERRORS: 'true', ...options.variables }
  const stack = await startStack({ port: 0, log: () => undefined, ...options, variables, stateDir })
  if (options.stateDir) return stack
  return {
    ...stack,
    dispose: async () => {
      await stack.dispose()
      await rm(stateDir, { recursive: true, maxRetries: 5 })
    },
  }
}

/** The components with these names, for a stack without the others, which starts in a fraction of the time. */
export function only(...names: string[]): WorkerFiles[] {
  const all = components()
  return names.map((name) => all.find((component) => component.name === name) ?? notFound(name))
}

function notFound(name: string): never {
  throw new Error(`There is no component ${name}`)
}
