import { expect, it } from 'vitest'
import { admitting } from '#email/admission'
import type { Env } from '#email/env'

const context = { waitUntil: () => undefined } as never
const env = { AUTH_TOKENS: 'token' } as Env

/** A component that answers when it is told to, let in one large request at a time, and who finds no room at once turned away. */
function doors() {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  const app = {
    about: { name: 'email' },
    fetch: async () => {
      await promise
      return new Response('done')
    },
  } as unknown as Parameters<typeof admitting>[0]
  const { fetch } = admitting(app, { patience: 0 })
  const ask = (headers: Record<string, string>) =>
    fetch(new Request('http://email/smtp', { method: 'POST', body: 'x', headers }), env, context)
  return { ask, answer }
}

const large = { 'content-length': '25000000' }
const allowed = { authorization: 'Bearer token' }

it('turns away who finds no room', async () => {
  const { ask, answer } = doors()
  const first = ask({ ...large, ...allowed })
  expect((await ask({ ...large, ...allowed })).status).toBe(503)
  answer()
  expect((await first).status).toBe(200)
  expect((await ask({ ...large, ...allowed })).status).toBe(200)
})

it('has no place for who has no access, and so none that they could take from others', async () => {
  const { ask, answer } = doors()
  const anonymous = Array.from({ length: 3 }, () => ask(large))
  const first = ask({ ...large, ...allowed })
  answer()
  for (const reply of await Promise.all([...anonymous, first])) expect(reply.status).toBe(200)
})
