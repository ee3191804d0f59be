// What the environment says, read once.
import { availableParallelism } from 'node:os'
import { type Environment, number, readServerSettings, type ServerSettings } from '../shared/settings.ts'

export interface ChromiumSettings extends ServerSettings {
  /** A path, or a name on the PATH; `package` for the one of npm; unset: whichever there is. */
  chromium: string | undefined
  /** Whether Chromium may run without a sandbox where it cannot have one. */
  mayLackSandbox: boolean
  /** Whether a browser is started at once; else with the first document. */
  warm: boolean
  /** At work at a time. */
  pages: number
  /** That wait for a page. */
  line: number
  /** For all of a document, waiting included. */
  maxSeconds: number
  /** Bytes of a document. */
  maxPdf: number
  /** Bytes that all of the browser's processes may hold before another takes over; at twice as many it is killed. */
  maxMemory: number
  /** Documents that a browser makes before another takes over. */
  recycleAfter: number
  /** Bytes that a document may load. */
  maxTraffic: number
  allowPrivateTargets: boolean
  /** Empty: those of the system. */
  nameServers: string[]
}

/** Refuses a variable that is not a number where one is asked for. */
export function readSettings(env: Environment): ChromiumSettings {
  return {
    ...readServerSettings(env, 'chromium-container'),
    chromium: env.CHROMIUM || undefined,
    mayLackSandbox: env.CHROMIUM_NO_SANDBOX === 'true',
    warm: env.WARM !== 'false',
    pages: number(env, 'PAGES', Math.max(2, Math.min(16, 2 * availableParallelism()))),
    line: number(env, 'LINE', 64),
    maxSeconds: number(env, 'MAX_SECONDS', 30),
    maxPdf: number(env, 'MAX_PDF', 100_000_000),
    maxMemory: number(env, 'MAX_MEMORY', 2_000_000_000),
    recycleAfter: number(env, 'RECYCLE_AFTER', 1_000),
    maxTraffic: number(env, 'MAX_TRAFFIC', 200_000_000),
    allowPrivateTargets: env.ALLOW_PRIVATE_TARGETS === 'true',
    nameServers: (env.NAME_SERVERS ?? '').split(',').flatMap((server) => server.trim() || []),
  }
}
