// Parses a TypeScript file, and collects the facts that the architecture rules check.
import { type ESTree, parseSync } from 'vite'

/** An import, re-export, dynamic import or import type. */
export interface Import {
  specifier: string
  line: number
  /** Whether the import is of types only, and so disappears at run time. */
  isType: boolean
  /** The imported or re-exported names; `*` for all. */
  names: string[]
}

/** An exported name. */
interface Exported {
  name: string
  line: number
  /** Whether the file declares a type alias, interface, class or enum of this name. */
  isNamedType: boolean
}

/** A position in a file. */
interface Mention {
  text: string
  line: number
}

/** The facts about a file that the rules need. */
export interface SourceFile {
  path: string
  lines: number
  imports: Import[]
  exports: Exported[]
  strings: Mention[]
  /**
   * Uses of `Request` as a type and of `Response` as a value, which show that the file takes or makes HTTP messages.
   */
  messages: Mention[]
  /** Members of `z` that the file uses. */
  zod: Mention[]
}

type Node = ESTree.Node

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** Calls `visit` with each node of a syntax tree and its parent, parents first. */
function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) walk(item, visit, node)
    } else if (isNode(value)) walk(value, visit, node)
  }
}

/** Returns a function that converts an offset to its line number, from 1. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Parses a TypeScript file, and collects its imports, exports and other facts for the rules. */
export function readSource(path: string, text: string): SourceFile {
  const { program, module, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const lineOf = lineCounter(text)
  const source: SourceFile = {
    path,
    lines: text.split('\n').length,
    imports: [],
    exports: [],
    strings: [],
    messages: [],
    zod: [],
  }

  /**
   * Imports of whole modules (`import * as z`), by local name. Only the members that the file uses count as imported.
   */
  const namespaces = new Map<string, Import>()
  for (const { entries, moduleRequest, start } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType)
    const found: Import = { specifier: moduleRequest.value, line: lineOf(start), isType, names: [] }
    for (const { importName, localName } of entries) {
      if (importName.kind === 'NamespaceObject') namespaces.set(localName.value, found)
      else found.names.push(importName.kind === 'Default' ? 'default' : importName.name!)
    }
    source.imports.push(found)
  }

  const reExports = new Map<string, Import>()
  for (const { entries, start } of module.staticExports) {
    const line = lineOf(start)
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      const name = exportName.kind === 'Default' ? 'default' : exportName.name
      if (name) source.exports.push({ name, line, isNamedType: false })
      if (!moduleRequest) continue
      const known = reExports.get(`${moduleRequest.value} ${isType}`)
      const found = known ?? { specifier: moduleRequest.value, line, isType, names: [] }
      found.names.push(importName.kind === 'Name' ? importName.name! : '*')
      if (!known) {
        reExports.set(`${moduleRequest.value} ${isType}`, found)
        source.imports.push(found)
      }
    }
  }

  const types = new Set<string>()
  const locals = new Set<string>()
  walk(program, (node, parent) => {
    const line = lineOf(node.start)
    switch (node.type) {
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSEnumDeclaration':
      case 'ClassDeclaration':
        if (node.id) locals.add(node.id.name)
        if (node.id && parent?.type === 'ExportNamedDeclaration') types.add(node.id.name)
        break
      case 'ImportExpression':
        if (node.source.type === 'Literal')
          source.imports.push({ specifier: String(node.source.value), line, isType: false, names: ['*'] })
        break
      case 'TSImportType':
        source.imports.push({
          specifier: node.source.value,
          line,
          isType: true,
          names: [node.qualifier?.type === 'Identifier' ? node.qualifier.name : '*'],
        })
        break
      case 'Literal':
        if (typeof node.value === 'string' && !isSpecifier(parent)) source.strings.push({ text: node.value, line })
        break
      case 'TemplateElement':
        source.strings.push({ text: node.value.cooked ?? node.value.raw, line })
        break
      case 'Identifier': {
        const namespace = namespaces.get(node.name)
        if (namespace && parent && !isName(node, parent)) {
          const member = memberOf(node, parent)
          namespace.names.push(member ?? '*')
          if (namespace.specifier === 'zod') source.zod.push({ text: member ?? '*', line })
        }
        if (node.name === 'z' && parent && !isName(node, parent))
          source.zod.push({ text: memberOf(node, parent) ?? '*', line })
        const isMessage =
          (node.name === 'Request' && parent?.type === 'TSTypeReference') ||
          (node.name === 'Response' &&
            (parent?.type === 'NewExpression' || (parent?.type === 'MemberExpression' && parent.object === node)))
        if (isMessage) source.messages.push({ text: node.name, line })
      }
    }
  })
  for (const found of source.exports) found.isNamedType = types.has(found.name)
  // One entry per name, since a schema and the type of its output share one name.
  source.exports = [...new Map(source.exports.map((found) => [found.name, found])).values()]
  source.messages = source.messages.filter(({ text: name }) => !locals.has(name))
  if (!source.imports.some(({ specifier }) => specifier === 'zod')) source.zod = []
  return source
}

/** Whether a string is the specifier of an import or export. */
const isSpecifier = (parent: Node | undefined) =>
  parent?.type === 'ImportDeclaration' ||
  parent?.type === 'ExportNamedDeclaration' ||
  parent?.type === 'ExportAllDeclaration' ||
  parent?.type === 'ImportExpression' ||
  parent?.type === 'TSImportType'

/** Whether an identifier is only the name of a member or of an import, and not a use of a variable. */
const isName = (node: Node, parent: Node): boolean =>
  parent.type.startsWith('Import') ||
  (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
  (parent.type === 'TSQualifiedName' && parent.right === node) ||
  (parent.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand) ||
  (parent.type === 'TSPropertySignature' && parent.key === node)

/** The member `b` of a namespace used as `a.b`; undefined if the namespace is used as a value. */
function memberOf(node: Node, parent: Node): string | undefined {
  if (parent.type === 'MemberExpression' && parent.object === node && parent.property.type === 'Identifier')
    return parent.computed ? undefined : parent.property.name
  if (parent.type === 'TSQualifiedName' && parent.left === node) return parent.right.name
  return undefined
}
