// Schemas of the outlets of the email API: the SMTP servers with their circuit breakers and rates.
import * as z from 'zod'
import { Time } from '#core/http/time'

export const ByName = z.object({
  name: z
    .string()
    .min(1)
    .max(50)
    .describe('Name of the SMTP server; `default` unless SMTP_SERVERS is set')
    .meta({ examples: ['default'] }),
})

export const Outlet = z.object({
  name: z.string().describe('Name of the SMTP server; `default` unless SMTP_SERVERS is set'),
  host: z.string().describe('Host name or IP address'),
  port: z.int().describe('TCP port'),
  weight: z.int().describe('Share of the mails. 0: used only if all other servers fail'),
  circuit: z
    .enum(['closed', 'open', 'half_open'])
    .describe('State of the circuit breaker. `open`: no mail is sent. `half_open`: the next mail is the probe'),
  paused: z.boolean().describe('Whether the server is paused with `POST /outlet/pause`'),
  failures: z.int().describe('Number of consecutive failures of the server'),
  retry_after: z.int().describe('Seconds until the circuit breaker allows a mail; 0 if it allows one now'),
  rate: z.number().nullable().describe('Mails per second; null if the server does not throttle'),
  waiting: z.int().describe('Number of mails that wait for a connection'),
  connections: z.int().describe('Number of open connections'),
  max_connections: z
    .int()
    .describe('Maximum number of open connections. 0: each mail gets its own, without circuit breaker and rate'),
  last_error: z
    .object({
      step: z.string().describe('Step of the session that failed, such as `connect` or `login`'),
      code: z.int().nullable().describe('SMTP reply code; null without a reply'),
      enhanced: z.string().nullable().describe('Enhanced status code (RFC 3463); null if there is none'),
      created_at: Time.describe('When the error occurred'),
    })
    .nullable()
    .describe('The last error that concerned the server; null if there was none'),
})
export type Outlet = z.output<typeof Outlet>
