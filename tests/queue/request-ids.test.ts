// Tests of `X-Request-Id`: the requests of a task carry the id of the call that created it.
import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { add, fresh, place, show, until } from './support.ts'

const post = async (params: object, id: string) => {
  const body = JSON.stringify(params)
  const reply = await exports.default.fetch('http://queue/task', {
    method: 'POST',
    body,
    headers: { 'x-request-id': id },
  })
  return (await reply.json<{ content: { task: { id: string } } }>()).content.task.id
}

it('a task sends the id of the request that created it, in each attempt', async () => {
  const { url, arrived } = place({ statuses: '500' })
  const id = await post({ worker: fresh(), url, retries: 1, retry_delay: 0 }, 'order-1')
  for (const { headers } of await arrived(2)) expect(headers['x-request-id']).toBe('order-1')
  await until(id, 'failed')
  expect(await show(id)).toMatchObject({ request_id: 'order-1' })
})

it('a task keeps a request id that its headers set', async () => {
  const { url, arrived } = place()
  const id = await post({ worker: fresh(), url, headers: { 'X-Request-Id': 'mine' } }, 'order-2')
  expect((await arrived(1))[0]!.headers['x-request-id']).toBe('mine')
  expect(await show(id)).toMatchObject({ request_id: 'mine' })
})

it('the pieces of a fraction send the id of the request that created it', async () => {
  const { url, arrived } = place()
  const id = await add({ worker: fresh(), url, min: 1, max: 2, gap: 1 })
  const { request_id } = await show(id)
  for (const { headers } of await arrived(2)) expect(headers['x-request-id']).toBe(request_id)
})
