// Rules for the layers inside a component: index, verbs, schema and contract.
import { breach, componentOf, type Edge, isIn, type Tree, type Violation } from './tree.ts'

type Layer = 'index' | 'verbs' | 'schema' | 'contract' | 'bindings'

/** The layer of a component's file. */
function layerOf(path: string): Layer {
  const [, name = ''] = /^src\/[^/]+\/(.+)\.ts$/.exec(path) ?? []
  if (name === 'index' || name === 'schema' || name === 'bindings') return name
  if (name.startsWith('endpoints/')) return 'index'
  return /(?:^|\/)contract(?:$|\/)/.test(name) ? 'contract' : 'verbs'
}

/** Modules of core/http that read requests, declare endpoints or make replies. */
const endpointModules = [
  ...['api', 'body', 'declaration', 'docs', 'endpoint', 'observe', 'openapi', 'params', 'reply', 'worker'],
].map((name) => `src/core/http/${name}.ts`)

/**
 * Whether a file of a layer may import a module for endpoints. `bindings.ts` may import types, since its interface
 * extends that of all components.
 */
const mayImport = (layer: Layer, { target, isType }: Edge) =>
  layer === 'index' ||
  (layer === 'bindings' && isType) ||
  (layer === 'contract' && target.endsWith('/params.ts')) ||
  (target.endsWith('/declaration.ts') && isType)

/** Functions of zod with which index.ts may combine schemas of contract.ts. All others create new schemas. */
const combining = ['array', 'encode', 'decode']

/** Types of zod that any file may use, since they create no schema. */
const zodTypes = ['output', 'input', 'infer', 'core']

/** The reason why an import violates the order index, verbs, schema, core; undefined if it does not. */
function layerBreach(from: Layer, { target, isType }: Edge, isOwn: boolean): string | undefined {
  if (from === 'index' && target.startsWith('drizzle-orm')) return 'index has no SQL'
  if (target.startsWith('drizzle-orm') && (from === 'contract' || from === 'bindings')) return `${from} has no SQL`
  if (isIn(target, 'src/core/db') && from === 'contract') return 'contract has no SQL'
  if (!isOwn) return undefined
  const to = layerOf(target)
  if (to === 'index' && !(from === 'index' && target.includes('/endpoints/')))
    return 'index is above all other files of the component'
  if (from === 'schema' && !(to === 'contract' && isType)) return 'schema is below all other files of the component'
  if (from === 'contract' && (to === 'schema' || to === 'bindings')) return `contract does not depend on ${to}`
  if (from === 'bindings' && !isType) return 'bindings has types alone'
  return undefined
}

/** Finds imports against the layers of a component, and HTTP, SQL and schemas in the wrong files. */
export function checkLayers(tree: Tree): Violation[] {
  const layers = tree.edges.flatMap((edge) => {
    const component = componentOf(edge.source.path, tree)
    if (!component) return []
    const why = layerBreach(layerOf(edge.source.path), edge, isIn(edge.target, `src/${component}`))
    return why ? [breach('layers', edge, why)] : []
  })
  const http = tree.edges.filter(
    (edge) =>
      componentOf(edge.source.path, tree) &&
      endpointModules.includes(edge.target) &&
      !mayImport(layerOf(edge.source.path), edge),
  )
  const why = 'only index.ts and the folder endpoints know endpoints'
  return [...layers, ...http.map((edge) => breach('verbs-http', edge, why)), ...checkSyntax(tree)]
}

/** Finds HTTP messages outside of index.ts and the folder endpoints, and schemas outside of contract.ts. */
const checkSyntax = (tree: Tree): Violation[] =>
  [...tree.sources.values()].flatMap(({ path, messages, zod }) => {
    if (!componentOf(path, tree)) return []
    const layer = layerOf(path)
    const http =
      layer === 'index'
        ? []
        : unique(messages).map(({ text, line }) => ({
            rule: 'verbs-http',
            file: path,
            line,
            detail:
              text === 'Request' ? 'takes a Request: verbs take valid input' : 'makes a Response: verbs return values',
          }))
    const made = zod.filter(({ text }) => layer !== 'contract' && !(layer === 'index' && combining.includes(text)))
    const schemas = unique(made).filter(({ text }) => !zodTypes.includes(text))
    return [
      ...http,
      ...schemas.map(({ text, line }) => ({
        rule: 'wire-schemas',
        file: path,
        line,
        detail: `uses z.${text}: schemas are made in contract.ts`,
      })),
    ]
  })

const unique = <T extends { text: string }>(mentions: T[]): T[] =>
  [...new Map(mentions.toReversed().map((mention) => [mention.text, mention])).values()].toReversed()
