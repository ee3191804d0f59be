// Extracts the texts that people read, for `npm run wording`: comments and messages of code, titles of tests, prose of
// the docs, and the OpenAPI document.
import { type ESTree, parseSync } from 'vite'

/** A piece of text, or the name of a declaration. */
export interface Text {
  file: string
  line: number
  text: string
}

type Node = ESTree.Node

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) walk(item, visit)
    } else if (isNode(value)) walk(value, visit)
  }
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Whether a string is prose: it has several words. Code in strings, such as SQL and HTML, has none of the phrases. */
const isProse = (text: string) => /[a-z]+ [a-z]+/i.test(text)

/** The words of a text without quoted ones, since these are values or names of the API. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/`[^`\n]*`|"[^"\n]{0,80}"/g, '`')
    .replaceAll(/\s+/g, ' ')
    .trim()

const isTitle = (node: Node): boolean => {
  if (node.type !== 'CallExpression') return false
  let callee: Node = node.callee
  while (
    callee.type === 'CallExpression' ||
    callee.type === 'MemberExpression' ||
    callee.type === 'TaggedTemplateExpression'
  )
    callee =
      callee.type === 'CallExpression' ? callee.callee : callee.type === 'MemberExpression' ? callee.object : callee.tag
  return callee.type === 'Identifier' && ['it', 'describe', 'test'].includes(callee.name)
}

/** The texts of a source file: its comments and strings, or the titles of a test file. */
export function textsOfCode(file: string, code: string): Text[] {
  const { program, comments } = parseSync(file, code)
  const at = (offset: number, text: string): Text => ({ file, line: lineOf(code, offset), text: wordsOf(text) })
  const texts: Text[] = []
  const strings = (node: Node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') texts.push(at(node.start, node.value))
    if (node.type === 'TemplateElement') texts.push(at(node.start, node.value.cooked ?? ''))
    if (node.type === 'JSXText') texts.push(at(node.start, node.value))
  }
  if (file.startsWith('tests/'))
    walk(program, (node) => {
      if (isTitle(node) && node.type === 'CallExpression' && node.arguments[0]) walk(node.arguments[0], strings)
    })
  else {
    walk(program, strings)
    // Joins consecutive line comments, which are one text.
    for (const { start, end, value, type } of comments) {
      const last = texts.at(-1)
      const text = at(start, value.replaceAll(/^\s*\*/gm, ' '))
      const isContinued = type === 'Line' && last && /^\s*$/.test(code.slice(ends.get(last) ?? end, start))
      if (isContinued) last.text += ` ${text.text}`
      else texts.push(text)
      ends.set(texts.at(-1)!, end)
    }
  }
  return texts.filter(({ text }) => isProse(text))
}

const ends = new WeakMap<Text, number>()

/** The names of the variables, functions, parameters, types and classes that a file declares. */
export function namesOfCode(file: string, code: string): Text[] {
  const found: Text[] = []
  const add = (node: Node | null | undefined) => {
    if (node?.type === 'Identifier') found.push({ file, line: lineOf(code, node.start), text: node.name })
  }
  walk(parseSync(file, code).program, (node) => {
    switch (node.type) {
      case 'VariableDeclarator':
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
        add(node.id)
    }
  })
  return found
}

/** The prose of a page of the docs by paragraph, item and row: no code, no headings, no addresses of links, no HTML comments. */
export function textsOfPage(file: string, page: string): Text[] {
  const texts: Text[] = []
  let isNew = true
  const lines = page
    .replaceAll(/^```[\s\S]*?^```|<!--[\s\S]*?-->/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split('\n')
  for (const [i, line] of lines.entries()) {
    const isHeading = line.startsWith('#')
    if (isNew || isHeading || /^\s*([-*|]|\d+\.)/.test(line))
      texts.push({ file, line: i + 1, text: isHeading ? '' : line })
    else texts.at(-1)!.text += ` ${line}`
    isNew = isHeading || line.trim() === ''
  }
  return texts.map((each) => ({ ...each, text: wordsOf(each.text) })).filter(({ text }) => isProse(text))
}

/** Summaries and descriptions of the OpenAPI document. `line` is 0. */
export function textsOfOpenApi(file: string, document: unknown): Text[] {
  const texts: Text[] = []
  const read = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if ((key === 'summary' || key === 'description') && typeof inner === 'string')
        texts.push({ file: `${file}${path}`, line: 0, text: wordsOf(inner) })
      else if (key !== 'example' && key !== 'examples' && key !== 'enum') read(inner, `${path}/${key}`)
    }
  }
  read(document, '')
  return texts
}
