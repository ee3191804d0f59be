// An `access` component on a database, and a component that trusts its keys and tokens.
import * as z from 'zod'
import type { AccessService } from '#core/access/access-service'
import { api, type CoreEnv } from '#core/http/api'
import Access from '../../workers/access/index.ts'
import { boundOn, startWith } from '../support/requests.ts'

const Owned = z.object({
  collection: z.string().default('news'),
  recipient: z.string().optional(),
  recipients: z.array(z.string()).optional(),
  user: z.string().optional(),
})

const reply = { seen: z.unknown().describe('The parameters after validation') }

/** A component with an endpoint of each level. */
const shop = api<CoreEnv>({ name: 'feed', title: 'Shop', description: 'A component' })
  .get('/read', { level: 'read', summary: 'Read', params: Owned, reply }, ({ params }) => ({ seen: params }))
  .get(
    '/mine',
    {
      level: 'read',
      summary: 'Read what bounds allow',
      params: Owned,
      reply,
      bindable: ['collection', 'recipient'],
      selectors: ['user', 'recipients'],
    },
    ({ params }) => ({ seen: params }),
  )
  .get('/file', { level: 'read', summary: 'Download', tokenInQuery: true }, () => undefined)
  .post('/write', { level: 'write', summary: 'Write', params: Owned, reply }, ({ params }) => ({ seen: params }))
  .delete('/manage', { level: 'manage', summary: 'Manage' }, () => undefined)
  .delete(
    '/item/:id',
    { level: 'write', summary: 'Delete one', params: z.object({ id: z.string(), reason: z.string().optional() }) },
    () => undefined,
  )
  .post('/undeclared', { summary: 'Has the default level' }, () => undefined)

/** `access` on a database, and `shop` with `variables`, bound to it. */
export function startBoth(database: object, variables: object = {}) {
  const root = { AUTH_TOKENS: 'root', AUDIT: 'off', ...variables }
  const { ACCESS: _, ...ownVariables } = root as { ACCESS?: unknown }
  const { worker, send } = startWith(Access, boundOn(database, ownVariables))
  const service = worker as unknown as AccessService
  const shopEnv = { ACCESS: service, ...root } as unknown as CoreEnv
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined } as unknown as ExecutionContext
  const fetchShop = (path: string, init: RequestInit = {}) =>
    shop.fetch(new Request(`http://feed.example.com${path}`, init), shopEnv, ctx)
  /** Calls `access` as root. */
  const asRoot = (method: string, path: string, params?: object) =>
    send(method, path, params, { authorization: 'Bearer root' })
  /** The status with which `shop` answers a bearer token. */
  const statusFor = async (bearer: string, call = 'GET /read', headers: Record<string, string> = {}) => {
    const [method, path] = call.split(' ') as [string, string]
    return (await fetchShop(path, { method, headers: { authorization: `Bearer ${bearer}`, ...headers } })).status
  }
  const createKey = async (params: object) => {
    const { json } = await asRoot('POST', '/key', params)
    return json.content as unknown as { key: { id: string }; secret: string }
  }
  return { service, sweep: () => worker.sweep(), send, asRoot, fetchShop, statusFor, createKey, shopEnv }
}
