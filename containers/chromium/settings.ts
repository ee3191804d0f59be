// The settings of the server that prints PDFs, read once from the environment. README.md lists them.
import { availableParallelism } from 'node:os'
import { type Environment, number, readServerSettings, type ServerSettings } from '../shared/settings.ts'

export interface ChromiumSettings extends ServerSettings {
  /** Path or name of the browser, or `package` for the one from npm; unset: an installed one, else the one from npm. */
  chromium: string | undefined
  /** Whether Chromium may run without its sandbox on a system without user namespaces. */
  mayLackSandbox: boolean
  /** Whether a browser starts with the server, instead of with the first document. */
  warm: boolean
  /** Maximum number of documents printed at a time. */
  pages: number
  /** Maximum number of documents that wait for a page. */
  line: number
  /** Time limit of a document in seconds, including the wait for a page. */
  maxSeconds: number
  /** Maximum size of a PDF in bytes. */
  maxPdf: number
  /**
   * Memory of all processes of a browser, in bytes, from which the browser is replaced. At twice this size it is
   * killed.
   */
  maxMemory: number
  /** Number of documents after which a browser is replaced, since browsers grow with time. */
  recycleAfter: number
  /** Maximum number of bytes that a document may load. */
  maxTraffic: number
  allowPrivateTargets: boolean
  /** Addresses of the DNS servers to ask. Empty: those of the system. */
  nameServers: string[]
}

/** Reads the settings. Throws if a numeric variable is not a number. */
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
