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
    tags: [...all.tags, ...own.tags],
    paths: { ...all.paths, ...own.paths },
    components: mergeSections(all.components, own.components),
  }
  writeFileSync(published, `${JSON.stringify(merged, null, 2)}\n`)
}

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
