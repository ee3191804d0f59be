// Tests the wording of the repository (`npm run wording`), and the check itself.
import { describe, expect, it } from 'vitest'
import { checkWording, findingsIn } from '../../scripts/wording/check.ts'
import { exceptions } from '../../scripts/wording/exceptions.ts'

const phrasesIn = (file: string, text: string) => findingsIn(file, text).map(({ found }) => found)

describe('the wording', () => {
  const { findings, unneeded } = checkWording()

  it('has no banned phrases and names', () => {
    expect(findings.map(({ file, line, found, better }) => `${file}:${line} "${found}": ${better}`)).toEqual([])
  })

  it('has at most 30 exceptions, each with a reason, and none that is not needed', () => {
    expect(unneeded).toEqual([])
    expect(exceptions.length).toBeLessThanOrEqual(30)
    expect(exceptions.filter(([, , reason]) => reason.length < 10)).toEqual([])
  })
})

describe('the check of the wording', () => {
  it.each([
    ['a comment', 'src/a/limit.ts', '// What is due comes first.\nexport const a = 1', ['what is']],
    ['a comment of several lines', 'src/a/limit.ts', '// It is\n// told at once.\nexport const a = 1', ['is told']],
    ['a docstring', 'src/a/limit.ts', '/** As many as\n * goes on. */\nexport const a = 1', ['goes on']],
    ['a message', 'src/a/limit.ts', "export const a = () => new Error('It has an id of its own')", ['of its own']],
    ['a template', 'src/a/limit.ts', 'export const a = () => `Wait where there is a queue`', ['where there is']],
    [
      'text of a page',
      'src/console/a.tsx',
      'export const a = <p>Nobody has asked besides</p>',
      ['besides', 'nobody has'],
    ],
    ['a name', 'src/a/limit.ts', 'const patience = 3\nexport const mostBytes = patience', ['patience', 'most']],
    ['a part of a name', 'src/a/limit.ts', 'export const sendPatience = 3', ['patience']],
    ['a type', 'src/a/limit.ts', 'export interface Told { a: string }', ['told']],
    ['a gerund as the name of a file', 'src/a/looking-up.ts', 'export const a = 1', []],
    ['a gerund as the last word of it', 'src/a/reading.ts', 'export const a = 1', ['reading']],
    ['the title of a test', 'tests/a/limit.test.ts', "it('sends it to whoever asks', () => undefined)", ['whoever']],
    [
      'the title of a table of tests',
      'tests/a/limit.test.ts',
      "it.each([1])('mends all %i', () => undefined)",
      ['mends'],
    ],
    ['prose', 'docs/a.md', '# What is it\n\nThe queue says what was sent.\n\n```sh\n# what is this\n```', ['what was']],
    [
      'the API',
      'docs/openapi.json',
      '{"a": {"description": "Say what is wrong", "example": "what is it"}}',
      ['what is'],
    ],
  ])('finds %s', (_, file, text, found) => {
    expect(phrasesIn(file, text)).toEqual(found)
  })

  it.each([
    ['code of a test', 'tests/a/limit.test.ts', "const a = 'nobody has it besides'\nit('is sent', () => a)"],
    ['quoted values', 'src/a/limit.ts', '// Answers `what is` and "goes on".\nexport const a = 1'],
    ['nouns of the field', 'src/a/routing.ts', '// Sends the tasks that are due.\nexport const maxBytes = 1'],
  ])('does not read %s', (_, file, text) => {
    expect(phrasesIn(file, text)).toEqual([])
  })
})
