/** The groups of components in the guide and in the console, in their order. */
export const groups = ['Files and records', 'Messages', 'Work and payments'] as const

/**
 * Metadata of a component, declared once in `src/<folder>/manifest.ts`. Plain data, since Workers, scripts, tests and the console all
 * read it. `npm run manifests` writes the files that repeat parts of it.
 */
export interface Manifest {
  /** The name of its Worker and of its path: `/badge/…`. */
  name: string
  /** Title in the console's navigation. */
  title: string
  /** One-line summary for the tables of components in the README and in the guide. */
  summary: string
  group: (typeof groups)[number]
  /** Its folder under `src`, if several Workers run the same source. Default: `name`. */
  source?: string
  /** Its pages in the guide, `docs/<page>.md`; the first one describes it. Default: `[name]`. */
  docs?: readonly [string, ...string[]]
  /** Its page in the console, `src/console/pages/<page>`, if it shares one with another component. Default: `name`. */
  page?: string
  /**
   * Prefixes of the paths that it answers itself, if it stores requests to all other paths. `/_health`, `/_metrics`, `/_docs` and
   * `/_openapi.json` are under the first one. Default: it answers all paths itself.
   */
  ownPaths?: readonly [string, ...string[]]
  /** Header for the secrets of its callers. Default: callers send the credentials of the deployment. */
  secretHeader?: string
  /** The built-in queue worker of its name; `false` for none. Default: 4 daemons, without a limit for each flow key. */
  queueWorker?: { daemons: number; keyConcurrency: number } | false
  /** Prefixes of the variables whose names its code composes, so that no declaration has them. Default: none. */
  variablePrefixes?: readonly string[]
  /**
   * Operations, such as `POST /collection`, that the typed client repeats in another way than HTTP says: it repeats GET, HEAD, PUT,
   * DELETE, and what takes an `Idempotency-Key`. Default: none.
   */
  repeats?: {
    /** Each request counts, though the method is safe: it is sent once. */
    once?: readonly string[]
    /** A repeat changes nothing, though the method does not say so. */
    harmless?: readonly string[]
    /** The parameter of an operation that identifies the request: with the same value a repeat changes nothing. */
    keys?: Readonly<Record<string, string>>
  }
}
