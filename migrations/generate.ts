// npm run migration -- feed init: writes the next migration of a component, for both databases, from its schema.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const kit = createRequire(import.meta.url)('drizzle-kit/api') as typeof import('drizzle-kit/api')

const [component, name] = process.argv.slice(2)
if (!component || !name)
  throw new Error('Say which component, and a name for the migration: npm run migration -- feed init')
const { schema } = await import(`../src/${component}/schema.ts`)

const dialects = {
  d1: { snapshot: kit.generateSQLiteDrizzleJson, diff: kit.generateSQLiteMigration },
  postgres: { snapshot: kit.generateDrizzleJson, diff: kit.generateMigration },
} as const

for (const [dialect, { snapshot, diff }] of Object.entries(dialects)) {
  const folder = `migrations/${component}/${dialect}`
  mkdirSync(folder, { recursive: true })
  const latest = `${folder}/schema.json`
  const before = existsSync(latest) ? JSON.parse(readFileSync(latest, 'utf8')) : await snapshot({} as never)
  const after = await snapshot(schema[dialect], before.id)
  const statements = await diff(before as never, after as never)
  if (statements.length === 0) continue
  const number = String(readdirSync(folder).filter((file) => file.endsWith('.sql')).length + 1).padStart(4, '0')
  writeFileSync(`${folder}/${number}_${name}.sql`, `${statements.join('\n')}\n`)
  writeFileSync(latest, `${JSON.stringify(after, null, 2)}\n`)
}
