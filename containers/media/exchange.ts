import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request on its way, with what its address says. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  /** The job that the path names. */
  id: string
}
