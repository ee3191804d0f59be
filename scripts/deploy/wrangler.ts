// Runs wrangler as a child process, and reads its output.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { Stop } from './stop.ts'

/** The machine-readable output of a wrangler deployment. */
const Deployed = z.object({
  type: z.literal('deploy'),
  /** Id of the uploaded version. Null if nothing was uploaded. */
  version_id: z.string().nullable(),
  bundle_size: z.object({ raw_bytes: z.number(), gzip_bytes: z.number() }),
  targets: z.array(z.string()).default([]),
})
type Deployed = z.infer<typeof Deployed>

interface Ran {
  stdout: string
  /** The result of `wrangler deploy`. Other commands have none. */
  deployed: Deployed | undefined
}

/** Runs wrangler in a project; a failure is a `Stop` with wrangler's error. */
export type Wrangler = (args: string[], input?: string) => Promise<Ran>

// Variables that make wrangler read no `.env`, send no telemetry and not look for updates.
const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG: 'log',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_LOG_SANITIZE: 'true',
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
  DO_NOT_TRACK: '1',
  FORCE_COLOR: '0',
  // Removed, since it would select an environment of the configuration, and the configurations have none.
  CLOUDFLARE_ENV: undefined,
}

// Starts wrangler's program itself, because its launcher exits with 0 if wrangler is killed.
const program = createRequire(import.meta.url).resolve('wrangler')

/** Returns a function that runs wrangler in a folder. With `echo`, wrangler's output is printed too. */
export const wranglerIn =
  (root: string, echo?: (text: string) => void): Wrangler =>
  async (args, input) => {
    const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
    const output = join(folder, 'output.ndjson')
    try {
      const { code, signal, stdout, all } = await run(
        root,
        args,
        { ...quiet, WRANGLER_OUTPUT_FILE_PATH: output },
        input,
        echo,
      )
      if (signal) throw new Stop(`wrangler was stopped by ${signal}`)
      if (code !== 0) throw new Stop(reasonOf(all))
      return { stdout, deployed: readDeployed(output) }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

async function run(
  root: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  input?: string,
  echo: (text: string) => void = () => undefined,
) {
  const child = spawn(process.execPath, ['--no-warnings', program, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  let stdout = ''
  let all = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    all += text
    echo(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    all += text
    echo(text)
  })
  child.stdin.on('error', () => undefined) // Wrangler may exit before it reads the input; its exit code says more than the write error.
  child.stdin.end(input)
  // Passes signals on to wrangler and stays alive, to remove its private files: Ctrl-C signals the whole process group.
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return { code, signal, stdout, all }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}

const readDeployed = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => Deployed.safeParse(JSON.parse(line)).data)
    .find((entry) => entry !== undefined)

/** The reason of a failure, as one line of wrangler's output. */
export function reasonOf(output: string): string {
  const text = stripVTControlCharacters(output)
  if (/set a CLOUDFLARE_API_TOKEN environment variable|not authenticated|You must be logged in/i.test(text)) {
    return 'wrangler is not logged in: set CLOUDFLARE_API_TOKEN, or run npx wrangler login'
  }
  const errors = text.split(/^.*\[ERROR\] /m).slice(1)
  const reasons = errors.map((error) => {
    const [head, ...notes] = error.split(/\n\s*\n/)
    const note = notes.find((paragraph) => /^\s+\S/.test(paragraph)) ?? ''
    return `${head} ${note}`.replaceAll(/\s+/g, ' ').trim()
  })
  return reasons.join('; ').slice(0, 800) || text.trim().split('\n').at(-1) || 'wrangler failed, and did not say why'
}
