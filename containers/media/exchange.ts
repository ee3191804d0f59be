// The type that the router passes to each handler of the media server.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request and its response, with the parameters of its URL. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  /** Id of the job in the path. Empty if the path has none. */
  id: string
}
