// Reads the settings that every container's server has from the environment.
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Environment = Record<string, string | undefined>

export interface ServerSettings {
  port: number
  host: string
  /** Token that callers must send. Empty if requests need no token. */
  token: string
  workDir: string
}

/** Reads the settings of the server from the environment. `folder` is the name of the default work folder. */
export const readServerSettings = (env: Environment, folder: string): ServerSettings => ({
  port: number(env, 'PORT', 8080),
  host: env.HOST || '0.0.0.0',
  token: env.TOKEN ?? '',
  workDir: env.WORK_DIR || join(tmpdir(), folder),
})

/** Reads a number from the environment; throws if the variable has another value. */
export function number(env: Environment, name: string, fallback: number): number {
  const value = Number(env[name] || fallback)
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is not a number`)
  return value
}
