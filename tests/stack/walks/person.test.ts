import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask, askJson } from '../http.ts'
import { personsOn, storedPlaces } from '../person-data.ts'
import { start } from '../stack.ts'

const ann = { user: 'ann', phone: '77011234567', email: 'ann@example.com' }
const bob = { user: 'bob', phone: '77011234568', email: 'bob@example.com' }

const busSecret = 'a secret of the administrator'

let stack: Stack
const { call, prepare, storePerson, startDelivery, placesOf } = personsOn(() => stack.url, busSecret)

beforeAll(async () => {
  stack = await start({ containers: [], variables: { BOX_ADMIN_SECRET: busSecret } })
})

afterAll(() => stack.dispose())

it('requires the scope *:manage of a key', async () => {
  const replies = ['feed:manage', '*:write', '*:manage'].map(async (scope) => {
    const { secret } = await call('POST', '/access/key', { name: scope, scopes: [scope] })
    const headers = { authorization: `Bearer ${secret}` }
    const { status, text } = await ask(`${stack.url}/person?user=zed`, { method: 'DELETE', headers })
    return [status, JSON.parse(text).status_code, JSON.parse(text).content?.scope]
  })
  const refused = [403, 'insufficient_scope', '*:manage']
  expect(await Promise.all(replies)).toEqual([refused, refused, [202, undefined, undefined]])
})

interface Operation {
  done: boolean
  components: { component: string; done: boolean; failures: number }[]
}

it('erases a person from every component, and keeps other persons', async () => {
  await prepare()
  await storePerson(ann, bob)
  await storePerson(bob, ann)
  const delivery = await startDelivery([ann, bob])
  onTestFinished(delivery.close)
  const all = [...storedPlaces, 'payment transactions']
  for (const one of [ann, bob])
    await expect.poll(() => placesOf(one), { timeout: 60_000 }).toEqual(expect.arrayContaining(all))
  const before = await placesOf(bob)

  const person = { user: 'ann', phone: '+7 701 123-45-67', email: 'Ann@example.com' }
  const erasure = await askJson(`${stack.url}/person`, 'DELETE', person)
  expect(erasure.status).toBe(202)
  const { id } = (erasure.body as { content: { operation: { id: string } } }).content.operation
  const show = async () => (await call('GET', '/operation', { id })).operation as unknown as Operation
  await expect.poll(async () => (await show()).done).toBe(true)

  expect((await show()).components.map(({ component }) => component).toSorted()).toEqual(stack.components.toSorted())
  expect((await placesOf(ann)).filter((place) => !place.startsWith('payment '))).toEqual([])
  expect(await placesOf(ann)).toContain('payment transactions')
  expect(await placesOf(bob)).toEqual(before)
  const { messages } = await call('GET', '/email/messages', { to: ann.email })
  expect(messages).toEqual([])
})
