// Tests the signatures of webhooks (Standard Webhooks).
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { keyOf, messageHeaders } from '#core/outgoing/standard-webhooks'

const secret = `whsec_${new Uint8Array(32).fill(7).toBase64()}`

describe('a signature', () => {
  it('is verified by the library of Standard Webhooks', async () => {
    const body = '{"a":"é"}'
    const headers = await messageHeaders('msg_1', body, keyOf(secret), Date.now())
    expect(new Webhook(secret).verify(body, headers)).toEqual({ a: 'é' })
    expect(() => new Webhook(secret).verify('{"a":"e"}', headers)).toThrow()
  })

  it('equals the example of the specification', async () => {
    const key = keyOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const headers = await messageHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', key, 1_614_265_330_000)
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it.each([secret, secret.slice(6)])('is made with %s', (secret) => expect(keyOf(secret)).toHaveLength(32))

  it.each(['', 'whsec_', 'not base64!', btoa('short'), btoa('x'.repeat(65))])('is not made with %j', (secret) =>
    expect(keyOf(secret)).toBeUndefined(),
  )
})
