// The console and the guide as the static files that the gateway serves.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Where wrangler.toml has them. */
export const siteFolder = '.build/site'

const folder = resolve(siteFolder)
const stamp = resolve('.build/site.txt')

const sources = [
  'src/console/**/*',
  'src/client/**/*',
  'docs/**/*',
  '*.md',
  'containers/*/README.md',
  'scripts/site.ts',
  'scripts/site/**/*',
  'package-lock.json',
]

/** Makes the folder that the configuration names, so that it can be read before there is anything in it. */
export const makeSiteFolder = () => mkdir(folder, { recursive: true })

/** Builds them in `.build/site`, unless they are there and what they are made of is as it was. */
export async function buildSite(): Promise<void> {
  const state = stateOf(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state && existsSync(join(folder, 'console'))) return
  await mkdir(resolve('.build'), { recursive: true })
  const made = await mkdtemp(resolve('.build/site-'))
  const [{ buildConsole }, { buildGuide }] = await Promise.all([import('./site/console.ts'), import('./site/guide.ts')])
  await Promise.all([buildConsole(join(made, 'console')), buildGuide(join(made, 'docs'))])
  await rm(folder, { recursive: true, force: true })
  // Who builds at the same time builds the same.
  await rename(made, folder).catch(() => rm(made, { recursive: true }))
  await writeFile(stamp, state)
}

/** What changes when a file does. */
function stateOf(patterns: string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync(patterns).sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}
