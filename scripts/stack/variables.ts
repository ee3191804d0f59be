// The variables that all components of a local stack get: those of .dev.vars and of the environment.
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

// Components get all upper-case variables except these: those of shells, runtimes and build tools. A list of allowed
// names is not possible, because many names are composed (`PROVIDER_A_DRIVER`, `FEED_URL`). A variable that no
// component reads does no harm.
const own = 'PORT STATE_DIR INIT_CWD'
const shell =
  'PATH HOME USER LOGNAME USERNAME SHELL TERM PWD OLDPWD SHLVL HOST HOSTNAME LANG LANGUAGE TZ TMPDIR TEMP TMP MAIL EDITOR VISUAL PAGER DISPLAY COLORTERM COLUMNS LINES DEBUG CI'
const families =
  /^_|^(LC|XDG|SSH|GPG|DBUS|NODE|NPM|WRANGLER|CLOUDFLARE|CF|MINIFLARE|GIT|GITHUB|GITLAB|AWS|DOCKER|KUBERNETES|LD|VITEST|VSCODE|NVM)_/
const denied = new Set(`${own} ${shell}`.split(' '))

export type Variables = Record<string, string>

/** A component's name as a part of variable names. */
export const variableOf = (name: string) => name.toUpperCase().replaceAll('-', '_')

/** The variables for components: those of `.dev.vars`, and of the environment, which take precedence. */
export function variablesOf(env: NodeJS.ProcessEnv, file = '.dev.vars'): Variables {
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const fromEnvironment = Object.entries(env).filter(
    ([name]) => /^[A-Z_][A-Z0-9_]*$/.test(name) && !denied.has(name) && !families.test(name),
  )
  return Object.fromEntries(
    [...Object.entries(fromFile), ...fromEnvironment].filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
}
