import { formatTime } from '#core/http/time'
import type { Outline } from './history.ts'

/** A caught request as a server-sent event (WHATWG HTML, section 9.2). */
export const requestEvent = ({ id, created_at, method, path, query, body_size }: Outline) => {
  const outline = { id, created_at: formatTime(new Date(created_at)), method, path, query, body_size }
  return `event: request\nid: ${id}\ndata: ${JSON.stringify(outline)}\n\n`
}

/** All is gone; the empty id makes a listener that comes back start afresh. */
export const clearedEvent = 'event: cleared\nid: \ndata: {}\n\n'
