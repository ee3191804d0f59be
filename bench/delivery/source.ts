// The `data_url` of the delivery benchmark, in a separate process: returns the recipients of a piece, by _min and _max
// in the JSON body of a GET.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonOf } from '../../scripts/lib/server.ts'
import { serve } from '../queue/remote.ts'

const recipient = (n: number) => ({
  locale: 'en',
  email: `user${n}@example.com`,
  name: `Customer ${n}`,
  city: 'Almaty',
})

const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const { _min, _max } = (await jsonOf(request)) as { _min: number; _max: number }
  const content = Array.from({ length: _max - _min + 1 }, (_, i) => recipient(_min + i))
  response.end(JSON.stringify({ status: true, content }))
}).listen(0, '127.0.0.1')

const verbs = {
  url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
}

export type RecipientServer = typeof verbs
await once(server, 'listening')
serve(verbs)
