import { describe, expect, it } from 'vitest'
import { quartermaster, type StreamEvent, type StreamOptions } from '#client/index'
import { skipRandomPauses, stopClock } from './clock.ts'
import { type Answer, cut, refused, serve, silence } from './server.ts'

skipRandomPauses()

const head = (reply: Parameters<Answer>[0]) => reply.writeHead(200, { 'content-type': 'text/event-stream' })

/** A stream that sends these texts, one after the other, and ends. */
const stream =
  (...texts: string[]): Answer =>
  async (reply) => {
    head(reply)
    for (const text of texts) await new Promise((resolve) => reply.write(text, resolve))
    reply.end()
  }

/** A stream that sends a text and breaks. */
const broken =
  (text: string): Answer =>
  (reply) =>
    void head(reply).write(text, () => reply.destroy())

/** A stream that sends a text and then nothing. */
const open =
  (text: string): Answer =>
  (reply) =>
    void head(reply).write(text)

/** The first events of a stream, so many, and the requests for it. */
async function follow(count: number, options: StreamOptions, ...answers: Answer[]) {
  await using server = await serve(...answers)
  const q = quartermaster({ url: server.url, token: 'a' })
  const events: StreamEvent[] = []
  const error = await (async () => {
    for await (const event of q.catcher.events('/_requests_/stream', { space: 'a' }, options)) {
      events.push(event)
      if (events.length === count) break
    }
  })().catch((thrown: unknown) => thrown)
  return { events, error, came: server.came, ids: server.came.map(({ headers }) => headers['last-event-id']) }
}

describe('a stream', () => {
  it('yields each event with id, name and data, however it is split into chunks', async () => {
    const text = 'id: 1\r\nevent: request\r\ndata: {"text":"ы"}\r\n\r\n: comment\n\ndata: two\ndata: lines\n\n'
    const whole = [
      { id: '1', event: 'request', data: { text: 'ы' } },
      { id: '1', event: 'message', data: 'two\nlines' },
    ]
    expect((await follow(2, {}, stream(text))).events).toEqual(whole)
    expect((await follow(2, {}, stream(...text))).events).toEqual(whole)
  })

  it('is requested with credentials and parameters', async () => {
    const { came } = await follow(1, { headers: { 'X-Catcher-Space': 'b' } }, stream('data: 1\n\n'))
    expect(came[0]).toMatchObject({ method: 'GET', path: '/catcher/_requests_/stream?space=a' })
    expect(came[0]!.headers).toMatchObject({
      ...{ accept: 'text/event-stream', authorization: 'Bearer a', 'x-catcher-space': 'b' },
    })
  })

  it('resumes after its last event if it ends, fails or is unavailable for a while', async () => {
    const { events, ids } = await follow(
      4,
      {},
      stream('id: 1\ndata: 1\n\nid: 2\ndata: 2\n\n'),
      broken('id: 3\ndata: 3\n\nid: 4\ndata: '),
      cut,
      refused(503, 'unavailable', { 'retry-after': '0' }),
      stream('id: 4\ndata: 4\n\n'),
    )
    expect(events.map(({ data }) => data)).toEqual([1, 2, 3, 4])
    expect(ids).toEqual([undefined, '2', '3', '3', '3'])
  })

  it('resumes after an id without an event, and after the id of the caller', async () => {
    const { ids } = await follow(
      1,
      { lastEventId: '7' },
      stream(''),
      stream(': listening\nid: 8\n\n'),
      stream('data: 1\n\n'),
    )
    expect(ids).toEqual(['7', '7', '8'])
  })

  it('reconnects after an idle timeout', async () => {
    using clock = stopClock()
    await using server = await serve(open('id: 1\ndata: 1\n\n'), silence, stream('data: 2\n\n'))
    const events = quartermaster({ url: server.url }).catcher.events('/_requests_/stream', {}, { timeout: 3000 })
    expect((await events.next()).value).toMatchObject({ data: 1 })
    const second = events.next()
    // It starts with the request, with the first read and with the second one.
    await clock.until(() => clock.started(3000) === 3)
    clock.advance(3000)
    await clock.until(() => server.came.length === 2)
    clock.advance(3000)
    await clock.until(() => server.came.length === 3)
    expect((await second).value).toMatchObject({ data: 2 })
    await events.return()
    expect(server.came.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1'])
  })

  it('does not time out while the caller processes an event', async () => {
    using clock = stopClock()
    let sendNext = () => {}
    await using server = await serve((reply) => {
      head(reply).write('data: 1\n\n')
      sendNext = () => void reply.write('data: 2\n\n')
    })
    const q = quartermaster({ url: server.url })
    const seen: unknown[] = []
    for await (const { data } of q.catcher.events('/_requests_/stream', {}, { timeout: 3000 })) {
      clock.advance(3100)
      seen.push(data)
      if (seen.length === 2) break
      sendNext()
    }
    expect([seen, server.came.length]).toEqual([[1, 2], 1])
  })

  it('ends with an error that is not temporary', async () => {
    const { error, came } = await follow(1, {}, refused(401, 'unauthorized'))
    expect(error).toMatchObject({ name: 'QuartermasterError', status: 401, code: 'unauthorized' })
    expect(came).toHaveLength(1)
  })

  it('ends with an error after the maximum number of failures in a row', async () => {
    const { error, came } = await follow(9, { retries: 2 }, stream('data: 1\n\n'), cut)
    expect(error).toMatchObject({ name: 'NoReplyError', reason: 'network' })
    expect(came).toHaveLength(3)
  })

  it('ends without an error if the signal aborts, and closes the connection', async () => {
    const controller = new AbortController()
    const closed = Promise.withResolvers<void>()
    const answer: Answer = (reply) => {
      reply.once('close', closed.resolve)
      head(reply).write('data: 1\n\n', () => controller.abort())
    }
    const { error } = await follow(9, { signal: controller.signal }, answer)
    expect(error).toBeUndefined()
    await closed.promise
  })

  it('closes the connection if the caller leaves the loop', async () => {
    const closed = Promise.withResolvers<void>()
    const answer: Answer = (reply) => {
      reply.once('close', closed.resolve)
      head(reply).write('data: 1\n\n')
    }
    await using server = await serve(answer)
    for await (const _ of quartermaster({ url: server.url }).catcher.events('/_requests_/stream')) break
    await closed.promise
  })
})
