// Builds the console and the guide as the static files that the gateway serves.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The folder that wrangler.toml names as the gateway's static files. */
export const siteFolder = '.build/site'

/**
 * Folder with one build per state of the sources, so that a new build does not disturb a process that serves an older
 * one.
 */
const states = resolve('.build/sites')

const sources = [
  'src/console/**/*',
  'src/client/**/*',
  'docs/**/*',
  '*.md',
  'containers/*/README.md',
  'scripts/site.ts',
  'scripts/site/**/*',
  'src/core/template/html.ts',
  'package-lock.json',
]

/**
 * Creates the folder that wrangler.toml names, since wrangler refuses a configuration whose folder is missing. Nothing
 * is built, so configurations of tests can call this each time.
 */
export const makeSiteFolder = () => mkdir(siteFolder, { recursive: true })

/** Builds the site unless it is up to date, and returns its folder. */
export async function buildSite(): Promise<string> {
  const folder = join(states, stateOf(sources))
  if (existsSync(folder)) return folder
  await mkdir(states, { recursive: true })
  await removeOld()
  const made = await mkdtemp(join(states, 'new-'))
  const [{ buildConsole }, { buildGuide }] = await Promise.all([import('./site/console.ts'), import('./site/guide.ts')])
  await Promise.all([buildConsole(join(made, 'console')), buildGuide(join(made, 'docs'))])
  // If renaming fails because a concurrent build was faster, that build has the same result and is used.
  await rename(made, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(made, { recursive: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}

/** Builds the site into the folder that wrangler.toml names, for a deployment. */
export async function placeSite(): Promise<void> {
  const folder = await buildSite()
  await rm(siteFolder, { recursive: true, force: true })
  await cp(folder, siteFolder, { recursive: true })
}

const day = 86_400_000

/** Deletes builds of older sources whose folder has not changed for a day. */
async function removeOld() {
  const all = readdirSync(states).map((name) => join(states, name))
  const old = all.filter((folder) => Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > day)
  await Promise.all(old.map((folder) => rm(folder, { recursive: true, force: true })))
}

/** A hash of the names, sizes and times of change of all files that match the patterns. It changes with any of them. */
function stateOf(patterns: string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync(patterns).sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}
