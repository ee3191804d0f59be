import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, 'fixture')

/** A component that returns its requests; the gateway binds its name. */
export const fixture = { name: 'badge', config: `${folder}/wrangler.toml`, main: `${folder}/index.ts` }

/** Its container. */
export const fixtureContainer = { name: 'badge', main: `${folder}/container.ts` }
