// The type of a component's manifest, and the groups of components in the guide and in the console.

/** The groups of components in the guide and in the console, in their order. */
export const groups = ['Files and records', 'Messages', 'Work and payments', 'Administration'] as const

/**
 * Metadata of a component, declared once in `src/<folder>/manifest.ts`. It is plain data without imports, since
 * Workers, scripts, tests and the console all read it. `npm run manifests` writes the files that repeat parts of it.
 */
export interface Manifest {
  /** The name of the component's Worker and of its path: `/badge/…`. */
  name: string
  /** Title in the console's navigation. */
  title: string
  /** One-line summary for the tables of components in the README and in the guide. */
  summary: string
  group: (typeof groups)[number]
  /** The component's folder under `src`, if several Workers run the same source. Default: `name`. */
  source?: string
  /** The component's pages in the guide, `docs/<page>.md`; the first one describes it. Default: `[name]`. */
  docs?: readonly [string, ...string[]]
  /**
   * The component's page in the console, `src/console/pages/<page>`, if it shares one with another component. Default:
   * `name`.
   */
  page?: string
  /** Path of the component that redirects to its page in the console, if the console is on. Default: none. */
  consoleLink?: `/${string}`
  /**
   * Path prefixes of the component's own API, if it stores requests to all other paths, as `catcher` does. `/_health`,
   * `/_metrics`, `/_docs` and `/_openapi.json` are under the first prefix. Default: the component answers all paths
   * itself.
   */
  ownPaths?: readonly [string, ...string[]]
  /**
   * Request header for the secrets of the component's own accounts. Default: callers send the credentials of the
   * deployment.
   */
  secretHeader?: string
  /** Parameters to which a key or a token can be bound; endpoints declare the same names under `bindable`. Default: none. */
  bindable?: readonly string[]
  /**
   * Settings of the built-in queue worker that has the component's name; `false` for none. Default: 4 daemons, without
   * a limit for each flow key.
   */
  queueWorker?: { daemons: number; keyConcurrency: number } | false
  /** Optional secrets that a local start generates, as it does those that the configuration of the Worker requires. Default: none. */
  generatedSecrets?: readonly string[]
  /** Prefixes of environment variables whose names are built at run time, so that no type declares them. Default: none. */
  variablePrefixes?: readonly string[]
  /**
   * Exceptions to the retry rule of the typed client, by operation, such as `POST /collection`. By default the client retries
   * GET, HEAD, PUT and DELETE, and operations with an `Idempotency-Key`. Default: no exceptions.
   */
  repeats?: {
    /** Never retried although the method is safe: each request has an effect, such as a counted attempt. */
    once?: readonly string[]
    /** Retried although the method is not idempotent: a second request changes nothing. */
    harmless?: readonly string[]
    /** Retried if this parameter is given: it identifies the request, so that a second one changes nothing. */
    keys?: Readonly<Record<string, string>>
  }
}
