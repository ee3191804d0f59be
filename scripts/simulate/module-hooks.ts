// Loads the code under test in Node: replaces the modules of the platform, and plants defects in the code.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A defect to plant in one file: the text `from`, which must occur once, becomes `to`. */
export interface Defect {
  name: string
  file: string
  from: string
  to: string
}

const stubs: Record<string, string> = {
  'cloudflare:workers': new URL('./stubs/workers.ts', import.meta.url).href,
  'cloudflare:sockets': new URL('./stubs/sockets.ts', import.meta.url).href,
}

/** Registers the hooks in this thread. Call it before the code under test is imported. */
export function hookModules(defect: Defect | undefined): void {
  registerHooks({
    resolve(specifier, context, next) {
      const url = stubs[specifier]
      return url ? { url, shortCircuit: true } : next(specifier, context)
    },
    load(url, context, next) {
      if (!defect || !url.endsWith(`/${defect.file}`)) return next(url, context)
      const source = stripTypeScriptTypes(planted(defect, readFileSync(fileURLToPath(url), 'utf8')))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

function planted({ name, file, from, to }: Defect, text: string): string {
  if (text.split(from).length !== 2) throw new Error(`The defect "${name}" must match ${file} once: ${from}`)
  return text.replace(from, () => to)
}
