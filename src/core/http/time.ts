// The schema and the format of times in requests and replies, which are in UTC.
import * as z from 'zod'

// Checks the text before `Date` parses it: `Date` accepts days such as February 30.
const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })])

const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

const zoned = /Z|[+-]\d\d:\d\d$/

function read(text: string): Date | undefined {
  const iso = text.replace(/^(\d{4}-\d\d-\d\d) (?=\d\d:)/, '$1T')
  if (!instant.safeParse(iso).success) return undefined
  const at = new Date(iso.includes('T') && !zoned.test(iso.slice(10)) ? `${iso}Z` : iso)
  return at.getTime() >= earliest && at.getTime() <= latest ? at : undefined
}

/** Formats a time as `YYYY-MM-DD HH:MM:SS` in UTC. */
export const formatTime = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ')

/**
 * Schema of a time. The code gets a `Date`. Replies have `YYYY-MM-DD HH:MM:SS` in UTC; requests may also have a date or
 * ISO 8601, whose offset is converted to UTC.
 */
export const Time = z
  // The example is set on the text schema, since Zod leaves out the examples of a codec.
  .codec(z.string().meta({ examples: ['2026-01-31 12:00:00'] }), z.date(), {
    decode: (text, { issues }) => {
      const at = read(text)
      if (at) return at
      issues.push({
        code: 'custom',
        input: text,
        message: 'Must be a time: YYYY-MM-DD HH:MM:SS in UTC, a date, or ISO 8601',
      })
      return z.NEVER
    },
    encode: formatTime,
  })
  .meta({ description: 'Time in UTC' })
