// Exports the data of a person from all components as lines of JSON: as a whole, or in pages.
import { invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Person } from '#core/person/places'
import type { Env } from './env.ts'
import { componentsIn, maxCallsPerEvent } from './operations.ts'
import { serviceOf } from './services.ts'

/** The page of an export: with a component or a cursor, the reply is one page. */
interface ExportPageOf {
  component?: string | undefined
  /** The cursor of a page, empty for the first one. */
  after?: string | undefined
}

/** A component, and the cursor inside of it. */
interface Position {
  component: string
  cursor?: string | undefined
}

/**
 * Reads one page of a component at a time, when the client has read the one before, so that memory is bounded. Throws 400 at once for a
 * component that is not bound and for a cursor that no page had.
 */
export function exportLines(env: Env, person: Person, page: ExportPageOf): AsyncGenerator<Uint8Array> {
  const { component, after } = page
  const all = componentsIn(env)
  if (component !== undefined && !all.includes(component))
    throw invalid('component', 'Must be the name of a component of this deployment')
  const components = component === undefined ? all : [component]
  const start = after ? positionIn(components, after) : firstOf(components)
  return linesFrom(env, person, components, start, component === undefined && after === undefined)
}

async function* linesFrom(
  env: Env,
  person: Person,
  components: readonly string[],
  start: Position | undefined,
  isWhole: boolean,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let at = start
  for (let calls = 0; at && (isWhole || calls < maxCallsPerEvent); calls++) {
    const { component } = at
    const { rows, next } = await readPage(env, person, at)
    const lines = rows.map(({ place, row }) => `${JSON.stringify({ component, place, row })}\n`)
    if (lines.length > 0) yield encoder.encode(lines.join(''))
    at = next === undefined ? firstOf(components.slice(components.indexOf(component) + 1)) : { component, cursor: next }
  }
  if (!isWhole) yield encoder.encode(`${JSON.stringify({ next: at ? cursorOf(at) : null })}\n`)
}

const firstOf = ([component]: readonly string[]): Position | undefined =>
  component === undefined ? undefined : { component }

async function readPage(env: Env, person: Person, { component, cursor }: Position) {
  try {
    return await serviceOf(env, component)!.exportPerson(person, cursor)
  } catch (error) {
    log('error', { component: 'gateway', route: `export ${component}`, ...describe(error) })
    throw error
  }
}

/** The cursor of a page, in base64url, since it is a parameter of a URL. */
const cursorOf = ({ component, cursor }: Position) =>
  new TextEncoder().encode(JSON.stringify([component, cursor])).toBase64({ alphabet: 'base64url', omitPadding: true })

function positionIn(components: readonly string[], after: string): Position {
  try {
    const bytes = Uint8Array.fromBase64(after, { alphabet: 'base64url' })
    const [component, cursor] = JSON.parse(new TextDecoder().decode(bytes)) as [unknown, unknown]
    if (typeof component === 'string' && components.includes(component) && (cursor === null || isCursor(cursor)))
      return { component, cursor: cursor ?? undefined }
  } catch {
    // Not base64url, or not JSON.
  }
  throw invalid('after', 'Must be next of the page before, or empty for the first page')
}

/** Cursors of components are JSON. */
const isCursor = (cursor: unknown): cursor is string => typeof cursor === 'string' && Array.isArray(JSON.parse(cursor))
