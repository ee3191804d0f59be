// The baseline of the delivery benchmark: a plain loop in Node that fetches pages, renders messages and sends them,
// without a ledger.
import { request } from 'node:http'
import { Liquid } from 'liquidjs'
import { jsonOf } from '../../scripts/lib/server.ts'
import { serve } from '../queue/remote.ts'
import { wireTo } from '../wire.ts'
import { gap, html, payload, subject } from './letter.ts'

interface Recipient {
  email: string
}

const engine = new Liquid({ outputEscape: 'escape' })
const templates = { subject: engine.parse(subject), html: engine.parse(html) }

const verbs = {
  /** Sends to this number of recipients over `width` connections. Returns the rate in recipients a second. */
  send: async (url: string, email: string, recipients: number, width: number) => {
    const wires = Array.from({ length: width }, () => wireTo(email))
    const began = performance.now()
    for (let min = 1; min <= recipients; min += gap) {
      const page = await fetchPage(url, min, Math.min(recipients, min + gap - 1))
      await Promise.all(
        wires.map(async (wire) => {
          for (let one = page.shift(); one; one = page.shift())
            if ((await wire.ask({ method: 'POST', path: '/smtp', body: mailTo(one) })) !== 201)
              throw new Error('Not sent')
        }),
      )
    }
    for (const wire of wires) wire.close()
    return (recipients / (performance.now() - began)) * 1_000
  },
}

const mailTo = (one: Recipient) => ({
  to: [one.email],
  subject: engine.renderSync(templates.subject, { ...payload, ...one }),
  html: engine.renderSync(templates.html, { ...payload, ...one }),
})

function fetchPage(url: string, _min: number, _max: number): Promise<Recipient[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Recipient[]>()
  const body = JSON.stringify({ _min, _max, _gap: gap })
  request(url, { headers: { 'content-length': Buffer.byteLength(body) } }, (response) =>
    jsonOf(response).then((page) => resolve((page as { content: Recipient[] }).content), reject),
  )
    .on('error', reject)
    .end(body)
  return promise
}

export type Loop = typeof verbs
serve(verbs)
