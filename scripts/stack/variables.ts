// What of this process's environment the components get.
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

// A component's variable is an upper-case name that no shell, runtime or build tool uses. There is no list of them to
// allow, since many are composed (`PROVIDER_A_DRIVER`, `FEED_URL`); what is left over by mistake does no harm in a binding.
const own = 'PORT STATE_DIR INIT_CWD'
const shell =
  'PATH HOME USER LOGNAME USERNAME SHELL TERM PWD OLDPWD SHLVL HOST HOSTNAME LANG LANGUAGE TZ TMPDIR TEMP TMP MAIL EDITOR VISUAL PAGER DISPLAY COLORTERM COLUMNS LINES DEBUG CI'
const families =
  /^_|^(LC|XDG|SSH|GPG|DBUS|NODE|NPM|WRANGLER|CLOUDFLARE|CF|MINIFLARE|GIT|GITHUB|GITLAB|AWS|DOCKER|KUBERNETES|LD|VITEST|VSCODE|NVM)_/
const denied = new Set(`${own} ${shell}`.split(' '))

export type Variables = Record<string, string>

/** A component's name in the names of variables. */
export const variableOf = (name: string) => name.toUpperCase().replaceAll('-', '_')

/** The variables for components: those of `.dev.vars` at the root, and over them those of the environment. */
export function variablesOf(env: NodeJS.ProcessEnv, file = '.dev.vars'): Variables {
  const written = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const given = Object.entries(env).filter(
    ([name]) => /^[A-Z_][A-Z0-9_]*$/.test(name) && !denied.has(name) && !families.test(name),
  )
  return Object.fromEntries(
    [...Object.entries(written), ...given].filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
