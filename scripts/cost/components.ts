// Wraps each component's Worker in a meter for the cost measurement: generates an entry that imports the unchanged
// code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { components, type WorkerFiles } from '../stack/components.ts'

const folder = resolve('.build/cost')

/** Every component, with a generated entry that reports its usage at the path `/_metered`. */
export const meteredComponents = (): WorkerFiles[] => components().map(withMeter)

function withMeter({ name, config, main }: WorkerFiles): WorkerFiles {
  const entry = resolve(folder, `${name}.ts`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(entry, entryOf(main, objectsIn(config)))
  return { name, config, main: entry }
}

const objectsIn = (config: string) => [
  ...new Set([...readFileSync(config, 'utf8').matchAll(/class_name = "(\w+)"/g)].map(([, name]) => name!)),
]

function entryOf(main: string, objects: string[]): string {
  const from = (file: string) => JSON.stringify(relative(dirname(resolve(folder, 'entry')), resolve(file)))
  return [
    `import * as component from ${from(main)}`,
    `import { meteredObject } from ${from('scripts/cost/meter/objects.ts')}`,
    `import { meteredWorker } from ${from('scripts/cost/meter/worker.ts')}`,
    'export default meteredWorker(component.default)',
    ...objects.map((name) => `export const ${name} = meteredObject(component.${name})`),
    '',
  ].join('\n')
}
