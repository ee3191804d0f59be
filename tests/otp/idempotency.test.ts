// Tests that a send of a one-time password with an `Idempotency-Key` happens once.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/requests.ts'
import { bound, channelParams, done, errorReply, everyChannel, freshPassword, otps, sendTo } from './support.ts'

describe.each(otps())('an Idempotency-Key of a send on $dialect', (tested) => {
  const { queue, withHeaders } = tested

  describe.each(everyChannel)('by %s', (channel) => {
    const send = (key: string, body: object) =>
      ask('POST', `/${channel}`, body, withHeaders({ 'idempotency-key': key }))

    it('sends one message, however often the request is repeated', async () => {
      queue.takeTasks()
      const [key, body] = [crypto.randomUUID(), sendTo(channel, channelParams[channel].fresh(), freshPassword())]
      expect(await send(key, body)).toEqual(done)
      expect(await send(key, body)).toEqual(done)
      expect(queue.takeTasks()).toHaveLength(1)
    })

    it('refuses a different request with the same key', async () => {
      const [key, target] = [crypto.randomUUID(), channelParams[channel].fresh()]
      await send(key, sendTo(channel, target, freshPassword()))
      expect(await send(key, sendTo(channel, target, freshPassword()))).toMatchObject(
        errorReply(409, 'idempotency_key_reused'),
      )
    })

    it('can be used again if the queue certainly has no task', async () => {
      queue.takeTasks()
      const [key, body] = [crypto.randomUUID(), sendTo(channel, channelParams[channel].fresh(), freshPassword())]
      queue.how = 'refusing'
      expect(await send(key, body)).toMatchObject(errorReply(502, 'queue_failed'))
      queue.how = 'up'
      expect(await send(key, body)).toEqual(done)
      expect(queue.takeTasks()).toHaveLength(1)
    })

    it('stores neither the password nor the target', async () => {
      const [key, target, password] = [crypto.randomUUID(), channelParams[channel].fresh(), freshPassword()]
      await send(key, sendTo(channel, target, password))
      const stored = await runInDurableObject(bound.FIRST_REPLY.getByName(key), (_, { storage }) =>
        JSON.stringify([...storage.kv.list()]),
      )
      expect(stored).toContain('isCommitted')
      expect(stored).not.toContain(password)
      expect(stored).not.toContain(target)
    })
  })
})
