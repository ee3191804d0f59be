// Clients that send mail as fast as possible, through the component or with nodemailer in Node.
import { performance } from 'node:perf_hooks'
import { createTransport } from 'nodemailer'
import type { Measured } from '../load.ts'
import { serve } from '../queue/remote.ts'
import { wireTo } from '../wire.ts'
import { mail } from './mail.ts'

const verbs = {
  component: (origin: string, clients: number, seconds: number) => {
    const wires = Array.from({ length: clients }, () => wireTo(origin))
    return measure(wires, seconds, async (wire, n) => {
      if ((await wire.ask({ method: 'POST', path: '/smtp', body: mail(n) })) !== 201) throw new Error('Not sent')
    })
  },
  nodemailer: async (port: number, clients: number, seconds: number, pool: boolean) => {
    const options = { host: '127.0.0.1', port, ignoreTLS: true }
    const transport = pool
      ? createTransport({ ...options, pool, maxConnections: clients, maxMessages: Number.POSITIVE_INFINITY })
      : createTransport(options)
    const measured = await measure(Array.from({ length: clients }), seconds, (_, n) =>
      transport.sendMail({ from: 'Bench <bench@example.com>', ...mail(n) }),
    )
    transport.close()
    return measured
  },
}

export type Clients = typeof verbs
serve(verbs)

const warmUp = 1_000

/** Runs the clients, each of which sends one mail after the other, and measures the rate. */
async function measure<T>(clients: T[], seconds: number, send: (client: T, n: number) => Promise<unknown>) {
  const began = performance.now() + warmUp
  const ends = began + seconds * 1_000
  const times: number[] = []
  let sent = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < ends) {
        const before = performance.now()
        await send(client, sent++)
        if (before >= began) times.push(performance.now() - before)
      }
    }),
  )
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99), failed: 0 } satisfies Measured
}
