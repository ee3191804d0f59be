// Stand-ins for the SMTP server and the SMS provider in a chaos run of a delivery. They record messages, and reject
// some of them.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { jsonOf, listen } from '../../lib/server.ts'
import { host } from '../../stack/port.ts'
import type { Reached } from './record.ts'
import { numberOf } from './source.ts'

export interface Receiver {
  port: number
  reached: Reached
  /** Messages to recipients of pages that were cut off. There must be none. */
  torn: string[]
  /** Number of messages in progress. */
  open(): number
  close(): void
}

/** How often each fault occurs: for one recipient of this number. */
const faults = { refused: 50, greylisted: 40, badPhone: 70, unconfirmed: 90, slow: 30 }

const noRecipients = (): Reached => ({ taken: [], refused: [], unconfirmed: [] })

/** Starts an SMTP server that rejects some messages permanently, and others only the first time (greylisting). */
export async function startMailServer(): Promise<Receiver> {
  const reached = noRecipients()
  const torn: string[] = []
  const greylisted = new Set<number>()
  let open = 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    onRcptTo: ({ address }, _, done) => {
      const n = numberOf(address)
      const isRefused = n % faults.refused === 13
      const isDeferred = n % faults.greylisted === 7 && !greylisted.has(n)
      if (isDeferred) greylisted.add(n)
      if (isRefused) reached.refused.push(n)
      if (isRefused || isDeferred) return done(refusal(isRefused ? 550 : 451))
      done()
    },
    onData: (stream, { envelope }, done) => {
      open++
      let hasEnded = false
      const end = () => {
        if (!hasEnded) open--
        hasEnded = true
      }
      stream.on('close', end).on('error', end).resume()
      stream.once('end', async () => {
        const { address } = envelope.rcptTo[0]!
        if (numberOf(address) % faults.slow === 3) await pause(30)
        end()
        if (address.startsWith('torn')) torn.push(address)
        reached.taken.push(numberOf(address))
        done()
      })
    },
  })
  server.on('error', () => undefined) // A kill broke the connection.
  await once(server.listen(0, host), 'listening')
  const { port } = server.server.address() as AddressInfo
  return { port, reached, torn, open: () => open, close: () => server.close() }
}

const refusal = (responseCode: number) => Object.assign(new Error('Not now'), { responseCode })

/**
 * Starts an SMS provider that rejects some phones, and replies 500 to others, so that the result of these messages is
 * unknown.
 */
export async function startProvider(): Promise<Receiver> {
  const reached = noRecipients()
  const torn: string[] = []
  let open = 0
  const server = await listen(async (request, response) => {
    const sent = (await jsonOf(request).catch(() => undefined)) as { phone: string } | undefined
    if (!sent) return
    const n = numberOf(sent.phone)
    open++
    response.once('close', () => open--)
    if (n % faults.slow === 4) await pause(30)
    if (sent.phone.startsWith('78')) torn.push(sent.phone)
    const status = n % faults.badPhone === 11 ? 400 : n % faults.unconfirmed === 17 ? 500 : 200
    const list = { 200: reached.taken, 400: reached.refused, 500: reached.unconfirmed }[status]!
    list.push(n)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  return { port: Number(new URL(server.url).port), reached, torn, open: () => open, close: server.close }
}
