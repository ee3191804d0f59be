// Generates the TypeScript files of the API client as text, from the OpenAPI document. write.ts writes them.
import type { Description } from '#core/http/openapi'
import { manifests, ownPrefixOf } from '#manifests'
import { type ApiOperation, callsIn } from './document.ts'
import { comment, fieldsOf, type JsonSchema, keyOf, typeOf } from './types.ts'

/** The first line of a generated file: its purpose, and the command that writes it. */
const header = (purpose: string) => `// ${purpose} Written by \`npm run client\` from docs/openapi.json.\n`

/** Generates the files of `src/client/api`, by name: the types of each component, and a table of the properties of operations. */
export function generate(description: Description): Map<string, string> {
  const calls = callsIn(description)
  const components = [...new Set(calls.map(({ component }) => component))]
  return new Map([
    ...components.map((name): [string, string] => [`${name}.ts`, componentFile(name, calls)]),
    ['index.ts', indexFile(components, calls, description)],
  ])
}

const titleOf = (name: string) => name[0]!.toUpperCase() + name.slice(1)

function componentFile(name: string, all: ApiOperation[]): string {
  const calls = all.filter(({ component }) => component === name)
  const groups = Object.groupBy(calls, ({ isStream, method }) => (isStream ? 'events' : method))
  const health = `    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '${ownPrefixOf(name)}/_health': { params: None; reply: Health }\n`
  const methods = Object.entries(groups).map(
    ([method, of = []]) => `  ${method}: {\n${of.map(operation).join('')}${method === 'get' ? health : ''}  }\n`,
  )
  return `${header(`Types of the operations of ${name}, for the API client.`)}import type { Health, None } from '../gateway.ts'\n\nexport interface ${titleOf(name)} {\n${methods.join('')}}\n`
}

const isNone = ({ properties = {} }: JsonSchema) => Object.keys(properties).length === 0

function operation(call: ApiOperation): string {
  const { path, summary, description, params, isKeyed, isStream, isEmpty, reply, errors } = call
  const paramsType = isNone(params) ? 'None' : `{\n${fieldsOf(params, 'sent', '        ')}      }`
  const replyType = `${reply ? typeOf(contentOf(reply), 'got', '      ') : 'Response'}${isEmpty ? ' | undefined' : ''}`
  return `${comment([summary, description], '    ')}    ${keyOf(path)}: {
      params: ${paramsType}
${isStream ? '' : `      reply: ${replyType}\n`}${isKeyed ? '      keyed: true\n' : ''}      errors: ${errors.map((code) => `'${code}'`).join(' | ') || 'never'}\n    }\n`
}

/** The part of a reply's schema that the client returns: the content without the envelope, see `readReply`. */
function contentOf(reply: JsonSchema): JsonSchema {
  const { warnings, content, ...properties } = reply.properties ?? {}
  return content ?? { ...reply, properties }
}

function indexFile(components: string[], calls: ApiOperation[], description: Description): string {
  const names = (those: ApiOperation[]) => those.map(({ name }) => name)
  const lists = calls.filter(({ method }) => method === 'get').map((call) => [call.name, eitherIn(call)] as const)
  const table = {
    components,
    secrets: secretsIn(description),
    bytes: names(calls.filter(({ reply, isStream }) => !reply && !isStream)),
    forms: Object.fromEntries(calls.flatMap(({ name, form }) => (form ? [[name, form]] : []))),
    keyed: names(calls.filter(({ isKeyed }) => isKeyed)),
    once: repeated('once', calls),
    harmless: repeated('harmless', calls),
    uuids: keysOf(calls),
    lists: Object.fromEntries(lists.filter(([, found]) => found.length > 0)),
  }
  const imports = components.toSorted().map((name) => `import type { ${titleOf(name)} } from './${name}.ts'\n`)
  const fields = components.map((name) => `  ${keyOf(name)}: ${titleOf(name)}\n`)
  return `${header('Types and properties of the operations of all components, for the API client.')}${imports.join('')}
export type { ${components.toSorted().map(titleOf).join(', ')} }

/** The operations of each component. */
export interface Components {\n${fields.join('')}}

/** The components with separate secrets of their callers. */
export type Secretive = ${
    Object.keys(table.secrets)
      .map((name) => `'${name}'`)
      .join(' | ') || 'never'
  }

/** Properties of operations that the client needs in addition to their types. */
export interface Table {
  components: readonly string[]
  /** The header of a component's secrets. */
  secrets: { readonly [component: string]: string }
  /** Operations whose reply is returned unparsed. */
  bytes: readonly string[]
  /** Operations that take a form, with its fields. Other parameters travel in the query. */
  forms: { readonly [operation: string]: readonly string[] }
  /** Operations that take an \`Idempotency-Key\`. */
  keyed: readonly string[]
  /** Operations that are not retried, although their method is safe. */
  once: readonly string[]
  /** Operations that can be retried, although their method is not idempotent. */
  harmless: readonly string[]
  /** The parameter that makes a retry of an operation idempotent. */
  uuids: { readonly [operation: string]: string }
  /** Query parameters that take one text or several. */
  lists: { readonly [operation: string]: readonly string[] }
}

export const table: Table = ${JSON.stringify(table, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")}\n`
}

/** The operations under `list` in the manifests, with the names of their components: `POST /feed/collection`. */
const repeated = (list: 'once' | 'harmless', calls: ApiOperation[]): string[] => {
  const names = manifests.flatMap(({ name, repeats }) =>
    (repeats?.[list] ?? []).map((operation) => qualified(name, operation)),
  )
  return known(names, calls)
}

/** By operation, the parameter that makes a retry idempotent, from the manifests. */
const keysOf = (calls: ApiOperation[]): Record<string, string> => {
  const keys = manifests.flatMap(({ name, repeats }) =>
    Object.entries(repeats?.keys ?? {}).map(([operation, key]) => ({ name: qualified(name, operation), key })),
  )
  const operations = known(
    keys.map(({ name }) => name),
    calls,
  )
  return Object.fromEntries(operations.map((operation, i) => [operation, keys[i]!.key]))
}

const qualified = (component: string, operation: string) => operation.replace(' /', ` /${component}/`)

/**
 * Checks that the document has all operations that a manifest names, and returns them. Throws otherwise, since the
 * manifest is out of date.
 */
function known(names: string[], calls: ApiOperation[]): string[] {
  const lost = names.filter((name) => calls.every((call) => call.name !== name))
  if (lost.length > 0) throw new Error(`A manifest names operations that the API does not have: ${lost.join(', ')}`)
  return names
}

interface Scheme {
  type: string
  in?: string
  name: string
}

const secretsIn = ({ components }: Description): Record<string, string> => {
  const { securitySchemes = {} } = components as { securitySchemes?: Record<string, Scheme> }
  return Object.fromEntries(
    Object.entries(securitySchemes).flatMap(([name, scheme]) =>
      scheme.type === 'apiKey' && scheme.in === 'header' ? [[name, scheme.name]] : [],
    ),
  )
}

const eitherIn = ({ params }: ApiOperation): string[] =>
  Object.entries(params.properties ?? {}).flatMap(([name, { anyOf = [] }]) => {
    const types = anyOf.map(({ type }) => type)
    return types.includes('array') && types.includes('string') ? [name] : []
  })
