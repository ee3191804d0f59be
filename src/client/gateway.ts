// Types of the gateway's pages, for the API client. They are written by hand, since no OpenAPI document describes these
// pages.

/**
 * The health of a component. `dependencies` is present only for callers with access. If a dependency is down, the call
 * throws an error with status 503.
 */
export interface Health {
  state: 'up' | 'down'
  dependencies?: { [name: string]: { state: 'up' | 'down'; latency_ms: number } }
}

/** The parameters of an operation without parameters. */
export interface None {
  [name: string]: never
}

/** The operations of the gateway. */
export interface Gateway {
  get: {
    /** List the components with their states */
    '/': { params: None; reply: { components: { name: string; state: 'up' | 'down' }[] } }
    /** Get the health of the gateway */
    '/_health': { params: None; reply: Health }
    /** Get the OpenAPI document of all components */
    '/_openapi.json': { params: None; reply: { [name: string]: unknown } }
  }
}
