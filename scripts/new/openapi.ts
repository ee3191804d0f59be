// Adds a component that `npm run new` generated to docs/openapi.json.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Description } from '#core/http/openapi'
import { components } from '../stack/components.ts'
import { startStack } from '../stack/stack.ts'

const published = 'docs/openapi.json'

/** Adds the component's OpenAPI document, as served behind the gateway, to the published one. */
export async function describeComponent(name: string): Promise<void> {
  const own = await descriptionOf(name)
  const all: Description = JSON.parse(readFileSync(published, 'utf8'))
  const merged = {
    ...all,
    tags: [...all.tags.filter(({ name }) => own.tags.every((tag) => tag.name !== name)), ...own.tags],
    paths: { ...withoutPathsOf(own, all.paths), ...own.paths },
    components: mergeSections(all.components, own.components),
  }
  writeFileSync(published, `${JSON.stringify(merged, null, 2)}\n`)
}

/** Both documents have the calls of the gateway itself, which come last. */
const withoutPathsOf = (own: Description, paths: Description['paths']): Description['paths'] =>
  Object.fromEntries(Object.entries(paths).filter(([path]) => !Object.hasOwn(own.paths, path)))

async function descriptionOf(name: string): Promise<Description> {
  const stateDir = mkdtempSync(join(tmpdir(), 'quartermaster-new-'))
  const only = components().filter((component) => component.name === name)
  const stack = await startStack({ port: 0, stateDir, components: only, log: () => undefined })
  try {
    const response = await fetch(`${stack.url}/_openapi.json`)
    return JSON.parse((await response.text()).replaceAll(stack.url, 'http://localhost:8787')) as Description
  } finally {
    await stack.dispose()
    rmSync(stateDir, { recursive: true, maxRetries: 5 })
  }
}

type Sections = Record<string, Record<string, unknown>>

function mergeSections(all: Description['components'], own: Description['components']): Description['components'] {
  const merged: Sections = structuredClone(all) as Sections
  for (const [section, entries] of Object.entries(own as Sections)) merged[section] = { ...merged[section], ...entries }
  return merged
}
