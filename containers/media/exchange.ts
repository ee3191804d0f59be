import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request and its response, with the parsed URL. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  /** Id of the job in the path; empty if there is none. */
  id: string
}
