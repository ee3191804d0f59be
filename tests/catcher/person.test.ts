import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '#catcher/bindings'
import { personalData } from '#catcher/person'
import { spaceNamed } from '#catcher/spaces'
import { personsIn } from '../support/person.ts'

const bound = env as unknown as Env

const request = (body: string, query = '') => ({
  ...{ method: 'post', host: 'localhost', port: 80, path: '/', query, headers: '{}' },
  ...{ body: new TextEncoder().encode(body), body_size: null },
})

it('erases and exports requests that mention the person, also in the spaces of unauthenticated clients', async () => {
  const { erase, read } = personsIn(personalData, bound)
  const user = crypto.randomUUID()
  const strange = `strange-${user}`
  const common = spaceNamed(bound, 'default')
  for (let n = 0; n < 45; n++) await common.capture(request(JSON.stringify({ user, n })) as never)
  await common.capture(request('', `user=${user}`) as never)
  await common.capture(request(JSON.stringify({ user: 'other', text: user })) as never)
  await spaceNamed(bound, strange).capture(request(`user=${user}`) as never, { space: strange, address: '10.0.0.1' })

  expect(await read({ user })).toHaveLength(47)
  expect(await erase({ user })).toEqual({ requests: 47 })

  expect(await read({ user })).toEqual([])
  const { rows } = await common.list({} as never, 100, 0)
  expect(rows.filter(({ body }) => new TextDecoder().decode(body).includes(user))).toHaveLength(1)
})
