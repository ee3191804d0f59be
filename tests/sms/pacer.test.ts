// Tests the adaptive rate limiter for messages to one SMS provider.
import { describe, expect, it } from 'vitest'
import { Pacer } from '#sms/pacer'

const second = 1_000

/** A provider that accepts `rate` messages per second, with a burst of three. */
function bucketOf(rate: number) {
  let [tokens, at] = [3, 0]
  return (now: number) => {
    tokens = Math.min(3, tokens + ((now - at) / second) * rate)
    at = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}

/** Sends messages one after another with a fake clock, each until it is accepted. */
function sendAll(count: number, takes: (now: number) => boolean) {
  const pacer = new Pacer()
  let [now, refused, sent] = [0, 0, 0]
  while (sent < count) {
    now += pacer.reserve(now)
    if (takes(now)) {
      sent++
      pacer.accepted()
    } else {
      refused++
      pacer.throttled(now, second)
    }
    now++
  }
  return { refused, seconds: now / second }
}

describe('the rate of a provider', () => {
  it('is not limited until the provider refuses a message', () => {
    const pacer = new Pacer()
    for (let n = 0; n < 100; n++) {
      expect(pacer.reserve(n)).toBe(0)
      pacer.accepted()
    }
  })

  it.each([1, 5])('adapts to a provider that takes %d a second: below 2 %% of 1000 messages are refused', (rate) => {
    const { refused, seconds } = sendAll(1_000, bucketOf(rate))
    expect(refused).toBeLessThan(20)
    expect(seconds).toBeLessThan((2 * 1_000) / rate)
  })

  it('delays all messages while the provider asks for a pause', () => {
    const pacer = new Pacer()
    pacer.throttled(0, 5 * second)
    expect(pacer.isBusy(4_999)).toBe(true)
    expect(pacer.isBusy(5_000)).toBe(false)
    expect(pacer.reserve(0)).toBe(5 * second)
    expect(pacer.reserve(0)).toBeGreaterThan(5 * second)
  })

  it('slows down once for messages that are throttled together', () => {
    const [one, six] = [new Pacer(), new Pacer()]
    one.throttled(0, second)
    for (let n = 0; n < 6; n++) six.throttled(0, second)
    for (const pacer of [one, six]) pacer.reserve(second)
    expect(six.reserve(second)).toBe(one.reserve(second))
  })
})
