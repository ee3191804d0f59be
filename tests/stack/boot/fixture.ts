// Paths of the small component in `fixture/`, which tests of the local stack start in place of a real one.
import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, 'fixture')

/** A component that returns the requests that it gets. Its name is one that the gateway binds. */
export const fixture = { name: 'badge', config: `${folder}/wrangler.toml`, main: `${folder}/index.ts` }

/** The container of that component. */
export const fixtureContainer = { name: 'badge', main: `${folder}/container.ts` }
