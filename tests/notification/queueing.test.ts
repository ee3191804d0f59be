// Tests how `POST /notify` queues its messages: once per idempotency key, and only the missing ones after a failure or a crash.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { everywhere, refusal, type Task, type Template, targets } from './support.ts'

const channelOf = ({ url }: Pick<Task, 'url'>) => new URL(url).hostname.split('.')[0]!
const bad = () => Response.json({ status: false, status_code: 'internal_error', message: '' }, { status: 500 })

describe.each(everywhere())('the queueing of a notification on $dialect', ({ env, send, content, given, queue }) => {
  const callOf = ({ code }: Template) => ({ notification: code, locale: 'en', ...targets, payload: { name: 'Ann' } })
  const keyed = (key: string) => (call: object) => send('POST', '/notify', call, { 'idempotency-key': key })
  const newKey = () => `key-${crypto.randomUUID()}`

  /** Aborts the durable object of an idempotency key, as a crash would: its memory is lost, its storage stays. */
  const crash = (key: string) =>
    runInDurableObject(env.FIRST_REPLY.getByName(key), (_, state) => state.abort()).catch(() => undefined)

  const taken = () => {
    const tasks = queue.takeTasks()
    return { tasks, channels: tasks.map(channelOf).toSorted() }
  }

  /** Sets how the queue's stand-in treats the tasks of one channel, until `undo` is called. It accepts all other tasks. */
  const on = (channel: string, does: typeof queue.before) => {
    queue.before = async (task) => (channelOf(task) === channel ? does(task) : 'take')
    return { undo: () => (queue.before = async () => 'take') }
  }

  it('happens once for repeats with one key', async () => {
    const call = callOf(await given())
    const notify = keyed(newKey())
    const replies = await Promise.all(Array.from({ length: 50 }, () => notify(call)))
    const done = replies.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject(refusal(409, 'idempotency_key_in_use'))
    expect(await notify(call)).toEqual(done[0])
    expect(taken().channels).toEqual(['email', 'feed', 'sms'])
    expect(await notify({ ...call, locale: 'kk' })).toMatchObject(refusal(409, 'idempotency_key_reused'))
  })

  it('happens again without a key or with another key', async () => {
    const call = callOf(await given())
    for (let i = 0; i < 2; i++) await content('POST', '/notify', call)
    for (let i = 0; i < 2; i++) expect(await keyed(newKey())(call)).toMatchObject({ status: 200 })
    const { tasks } = taken()
    expect(tasks).toHaveLength(12)
    expect(new Set(tasks.map(({ headers }) => headers['idempotency-key'])).size).toBe(12)
    expect(tasks.filter(({ key }) => key === null)).toHaveLength(6)
  })

  it('reports a message that is not queued, and queues only missing messages on repeat', async () => {
    const call = callOf(await given())
    const notify = keyed(newKey())
    const failing = on('sms', async () => bad())
    const { status, json } = await notify(call)
    expect({ status, json }).toMatchObject({
      ...refusal(502, 'queue_failed'),
      json: {
        content: {
          channels: {
            email: { state: 'queued', task: expect.any(String) },
            sms: { state: 'failed' },
            feed: { state: 'queued' },
          },
        },
      },
    })
    failing.undo()
    const { channels } = (json as never as { content: { channels: object } }).content
    const again = await notify(call)
    expect(again).toMatchObject({
      status: 200,
      json: { content: { channels: { ...channels, sms: { state: 'queued', task: expect.any(String) } } } },
    })
    expect(await notify(call)).toEqual(again)
    expect(taken().channels).toEqual(['email', 'feed', 'sms'])
  })

  it('finds a message that the queue accepted without replying', async () => {
    const call = callOf(await given())
    const notify = keyed(newKey())
    const breaking = on('email', async () => 'lose')
    expect(await notify(call)).toMatchObject(refusal(502, 'queue_failed'))
    breaking.undo()
    expect(await notify(call)).toMatchObject({
      json: { content: { channels: { email: { state: 'queued', task: expect.any(String) } } } },
    })
    expect(taken().channels).toEqual(['email', 'feed', 'sms'])
  })

  it.each([
    [
      'refuses the task',
      () => Response.json({ status: false, status_code: 'validation_failed', message: '' }, { status: 400 }),
      502,
      'queue_failed',
    ],
    ['knows no such path', () => new Response('', { status: 404 }), 502, 'queue_failed'],
    [
      'is not configured',
      () => Response.json({ status: false, status_code: 'not_configured', message: '' }, { status: 503 }),
      502,
      'queue_failed',
    ],
    [
      'is still at it',
      () => Response.json({ status: false, status_code: 'idempotency_key_in_use', message: '' }, { status: 409 }),
      504,
      'queue_timeout',
    ],
  ])('fails if the queue %s', async (_, answer, status, code) => {
    const call = callOf(await given())
    const failing = on('feed', async () => answer())
    expect(await send('POST', '/notify', call)).toMatchObject(refusal(status, code))
    failing.undo()
    queue.takeTasks()
  })

  it('neither loses nor duplicates messages of an interrupted call', async () => {
    const call = callOf(await given())
    const key = newKey()
    const notify = keyed(key)
    const reached = Promise.withResolvers<void>()
    const dead = Promise.withResolvers<Response>()
    const hanging = on('sms', async () => {
      reached.resolve()
      return dead.promise
    })
    const first = notify(call).catch(() => undefined)
    await reached.promise
    await expect.poll(() => queue.waiting()).toEqual(['email', 'feed'])
    expect(await notify(call)).toMatchObject(refusal(409, 'idempotency_key_in_use'))
    await crash(key)
    hanging.undo()
    const again = await notify(call)
    expect(again).toMatchObject({ status: 200, json: { content: { channels: { sms: { state: 'queued' } } } } })
    dead.resolve(bad())
    await first
    expect(await notify(call)).toEqual(again)
    expect(taken().channels).toEqual(['email', 'feed', 'sms'])
  })

  it('sends the messages queued before a crash, although the template has changed', async () => {
    const template = await given()
    const call = callOf(template)
    const notify = keyed(newKey())
    const failing = on('sms', async () => bad())
    expect(await notify(call)).toMatchObject({ status: 502 })
    failing.undo()
    await content('PATCH', '/notification', { id: template.id, email_html: 'New', sms_message: 'New' })
    const { json } = await notify(call)
    expect(json.content).toEqual({
      channels: {
        email: { state: 'queued' },
        sms: { state: 'queued', task: expect.any(String) },
        feed: { state: 'queued', task: expect.any(String) },
      },
    })
    const { tasks, channels } = taken()
    expect(channels).toEqual(['email', 'feed', 'sms'])
    const bodyOf = (channel: string) => tasks.find((task) => channelOf(task) === channel)!.json
    expect(bodyOf('email')).toMatchObject({ html: '<p>Hello, Ann</p>' })
    expect(bodyOf('sms')).toMatchObject({ message: 'New' })
  })

  it('is another one if another call has the key of a failed call', async () => {
    const call = callOf(await given())
    const notify = keyed(newKey())
    const failing = on('sms', async () => bad())
    expect(await notify(call)).toMatchObject({ status: 502 })
    failing.undo()
    expect(await notify({ ...call, email: 'bob@example.com' })).toMatchObject({ status: 200 })
    const to = taken().tasks.filter((task) => channelOf(task) === 'email')
    expect(to.map(({ json }) => json.to)).toEqual([['ann@example.com'], ['bob@example.com']])
  })

  it('uses the present texts after a change', async () => {
    const template = await given()
    const call = { ...callOf(template), email: '', feed_recipient: '' }
    for (const text of ['one', 'two', 'three']) {
      await content('PATCH', '/notification', { id: template.id, sms_message: { en: `${text} {{ name }}`, kk: text } })
      await content('POST', '/notify', call)
      await content('POST', '/notify', call)
      expect(taken().tasks.map(({ json }) => json.message)).toEqual([`${text} Ann`, `${text} Ann`])
    }
  })
})
