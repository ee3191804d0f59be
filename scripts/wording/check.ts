import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { exceptions } from './exceptions.ts'
import { names, nounsInIng, type Pattern, patterns } from './patterns.ts'
import { namesOfCode, type Text, textsOfCode, textsOfOpenApi, textsOfPage } from './texts.ts'

/** A phrase or name in a text of the repository that is not plain English, with its context. */
interface Finding {
  file: string
  line: number
  found: string
  context: string
  better: string
}

const isGenerated = (file: string) =>
  file.startsWith('src/client/api/') || file.endsWith('.d.ts') || /\/(stopwords|stemmers)\//.test(file)

/**
 * The code files whose texts are checked. The patterns and the test of this check are left out, since they contain the
 * banned phrases.
 */
const codeFiles = () =>
  globSync(['{src,containers,scripts,workers}/**/*.{ts,tsx}', 'tests/**/*.ts', '*.ts'], {
    exclude: (name) => /(^|\/)(node_modules|\.build)(\/|$)/.test(String(name)),
  })
    .filter(
      (file) => !isGenerated(file) && !file.startsWith('scripts/wording/') && file !== 'tests/stack/wording.test.ts',
    )
    .sort()

const pages = () =>
  globSync(['docs/*.md', '*.md'])
    .filter((file) => file !== 'LICENSE')
    .sort()

function matches({ file, line, text }: Text, list: readonly Pattern[]): Finding[] {
  return list.flatMap(({ expression, better }) =>
    [...text.matchAll(expression)].map(({ 0: found, index }) => ({
      file,
      line,
      found: found.toLowerCase(),
      context: text
        .slice(Math.max(0, index - 40), index + 60)
        .replaceAll(/\s+/g, ' ')
        .trim(),
      better,
    })),
  )
}

/**
 * The findings in the text of one file. The kind of file decides what is checked: comments, names, prose or
 * descriptions.
 */
export function findingsIn(file: string, text: string): Finding[] {
  if (file.endsWith('.json')) return textsOfOpenApi(file, JSON.parse(text)).flatMap((each) => matches(each, patterns))
  if (file.endsWith('.md')) return textsOfPage(file, text).flatMap((each) => matches(each, patterns))
  const [word = ''] = basename(file).split('.')
  const last = word.split('-').at(-1)!
  const gerund =
    /ing$/.test(last) && !nounsInIng.has(last) && !file.startsWith('tests/')
      ? [{ file, line: 1, found: word, context: file, better: 'a noun as the name of a file' }]
      : []
  return [
    ...gerund,
    ...namesOfCode(file, text).flatMap((each) => matches(each, names)),
    ...textsOfCode(file, text).flatMap((each) => matches(each, patterns)),
  ]
}

/** Checks all texts. An exception without a finding is reported too. */
export function checkWording(): { findings: Finding[]; unneeded: string[] } {
  const files = [...codeFiles(), ...pages(), 'docs/openapi.json']
  const all = files.flatMap((file) => findingsIn(file, readFileSync(file, 'utf8')))
  const isException = ({ file, found }: Finding, [path, phrase]: readonly [string, string]) =>
    (file === path || file.startsWith(`${path}/`)) && found === phrase
  return {
    findings: all.filter((finding) => !exceptions.some(([path, phrase]) => isException(finding, [path, phrase]))),
    unneeded: exceptions
      .filter(([path, phrase]) => !all.some((finding) => isException(finding, [path, phrase])))
      .map(([path, phrase]) => `${path}: ${phrase}`),
  }
}
