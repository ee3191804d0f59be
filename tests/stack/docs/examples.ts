// Runs the shell examples of a Markdown page with bash and curl, from top to bottom in one shell, for tests of the
// docs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../../scripts/stack/port.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'

interface Example {
  /** Line of the page on which the example begins. */
  line: number
  shell: string
  /** The expected reply: the block directly under the example. */
  reply: { kind: 'json' | 'text'; text: string } | undefined
}

const block = /^```sh\n(.*?)^```\n(?:\n?```(json|text)\n(.*?)^```$)?/gms

/** The examples of a page: its blocks of `sh`, each with the `json` or `text` block directly under it. */
export const examplesIn = (markdown: string): Example[] =>
  [...markdown.matchAll(block)].map(({ index, 1: shell = '', 2: kind, 3: text = '' }) => ({
    line: markdown.slice(0, index).split('\n').length + 1,
    shell,
    reply: kind === undefined ? undefined : { kind: kind === 'json' ? 'json' : 'text', text },
  }))

/** Names of the components that the examples call. */
export const calledIn = (examples: Example[]): Set<string> =>
  new Set(
    examples.flatMap(({ shell }) =>
      [...shell.matchAll(/curl .*?http:\/\/localhost:8787\/([\w-]+)/g)].map(([, name]) => name!),
    ),
  )

export interface Ran {
  /** Output of each example. Examples after a failed one have none. */
  printed: string[]
  /** Why an example failed; empty if none did. */
  trouble: string
}

/**
 * Runs the examples of a page in a temporary folder that has `docs`, the README and the state folder. Stops at the
 * first command that fails, and at an error reply that the page does not show. Replaces port 4000, at which an
 * application of the page listens, by a free port.
 */
export async function runExamples(
  examples: Example[],
  { url, stateDir }: Pick<Stack, 'url' | 'stateDir'>,
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-examples-'))
  for (const name of ['docs', 'README.md']) symlinkSync(resolve(name), join(folder, name))
  symlinkSync(stateDir, join(folder, '.state'))
  const settings = { strict: 'fail-with-body\n', lenient: '' }
  for (const [name, more] of Object.entries(settings)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, '.curlrc'), `silent\nshow-error\nmax-time = 120\nwrite-out = "\\n"\n${more}`)
  }
  const outputOf = (at: number) => join(folder, `${at}.out`)
  const script = examples.map(
    (example, at) =>
      `exec > '${outputOf(at)}'\nexport CURL_HOME='${join(folder, isRefusal(example) ? 'lenient' : 'strict')}'\n${example.shell}`,
  )
  const text = ['set -euo pipefail', ...script]
    .join('\n')
    .replaceAll('http://localhost:8787', url)
    .replaceAll(/\b4000\b/g, String(await freePort(0)))
  const trouble = await bash(text, folder)
  const printed = examples.map((_, at) => (existsSync(outputOf(at)) ? readFileSync(outputOf(at), 'utf8') : ''))
  return { printed, trouble }
}

const isRefusal = ({ reply }: Example) => /"status": false|^[45]\d\d$/m.test(reply?.text ?? '')

async function bash(script: string, cwd: string): Promise<string> {
  const shell = spawn('bash', ['-s'], { cwd, env: { ...process.env, HOME: cwd }, detached: true })
  let output = ''
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  shell.stdin.end(script)
  const [code] = await once(shell, 'exit')
  endGroup(shell.pid!)
  return code === 0 ? '' : `${output}(exit code ${code})`
}

/** Kills the processes that an example left running. */
function endGroup(pid: number) {
  try {
    process.kill(-pid)
  } catch {
    // An error means that no process was left.
  }
}

/**
 * The printed and the expected reply, for `expect(…).toEqual(…)`. Keys that the page leaves out are removed from the
 * printed one.
 */
export function compared(printed: string, { reply }: Example): [is: unknown, says: unknown] {
  if (!reply) return [undefined, undefined]
  if (reply.kind === 'text') {
    const is = printed.trim()
    const says = reply.text.trim()
    return [isLike(is, says) ? says : is, says]
  }
  const says: unknown = JSON.parse(reply.text)
  return [asFarAs(says, lastJson(printed)), says]
}

/** The last JSON object in the output: the reply of the last call. */
function lastJson(printed: string): unknown {
  const lines = printed.split('\n')
  for (let from = lines.length - 1; from >= 0; from--) {
    if (!/^\s*[[{]/.test(lines[from]!)) continue
    const whole = parsed(lines.slice(from).join('\n'))
    if (whole !== undefined) return whole
  }
  return printed
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isLike = (is: string, says: string) =>
  new RegExp(`^${says.split('…').map(RegExp.escape).join('[^]*?')}$`).test(is)

/**
 * Makes a value comparable with the page: removes keys and elements that the page leaves out, and replaces texts that
 * match `…` by it.
 */
function asFarAs(says: unknown, is: unknown): unknown {
  if (typeof says === 'string' && says.includes('…')) return isLike(String(is), says) ? says : is
  if (Array.isArray(says) && Array.isArray(is)) {
    const isCut = says.at(-1) === '…'
    const shown = isCut ? is.slice(0, says.length - 1) : is
    return [...shown.map((one, at) => asFarAs(says[at], one)), ...(isCut ? ['…'] : [])]
  }
  if (!isObject(says) || !isObject(is)) return is
  return Object.fromEntries(Object.keys(says).flatMap((key) => (key in is ? [[key, asFarAs(says[key], is[key])]] : [])))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
