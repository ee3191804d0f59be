/** Whether a component answers, and to who has access also what it depends on; a refusal with the same where one does not. */
export interface Health {
  state: 'up' | 'down'
  dependencies?: { [name: string]: { state: 'up' | 'down'; latency_ms: number } }
}

/** Of an operation that takes no parameters. */
export interface None {
  [name: string]: never
}

/** What the gateway answers itself. */
export interface Gateway {
  get: {
    /** List the components, and whether each answers */
    '/': { params: None; reply: { components: { name: string; state: 'up' | 'down' }[] } }
    /** Whether the gateway answers */
    '/_health': { params: None; reply: Health }
    /** The OpenAPI document of all components */
    '/_openapi.json': { params: None; reply: { [name: string]: unknown } }
  }
}
