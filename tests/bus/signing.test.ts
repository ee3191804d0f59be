// Tests of the signatures (Standard Webhooks) of calls to handlers and webhooks.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { place } from './place.ts'
import { buses, createCollectionAndUser } from './support.ts'

const secret = `whsec_${new Uint8Array(32).fill(7).toBase64()}`

describe.each(buses({ BOX_SIGNING_SECRET: secret }))('a bus with a signing secret on $dialect', (tested) => {
  it('signs requests to handlers and webhooks', async () => {
    const [handler, webhook] = [place(), place()]
    const { collection } = await createCollectionAndUser(tested, 'async', { handler: handler.url })
    const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: 'é' }
    await tested.send('POST', '/document', { ...document, webhook: webhook.url })
    await tested.callBack(tested.queue.takeTasks()[0]!)
    const visits = [...(await handler.visits()), ...(await webhook.visits())]
    expect(visits).toHaveLength(2)
    for (const { body, headers } of visits) expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
    expect(visits[0]!.headers['webhook-id']).not.toBe(visits[1]!.headers['webhook-id'])
  })
})
