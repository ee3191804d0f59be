// The HTTP API of the bus: declares its endpoints, and calls the file that does the work of each.
import { open } from '#core/db/open'
import { api } from '#core/http/api'
import * as accesses from './accesses.ts'
import { prepareInstance } from './administrator.ts'
import * as texts from './api-texts.ts'
import type { Env } from './bindings.ts'
import { forAdministrators } from './callers.ts'
import * as clients from './clients.ts'
import * as collections from './collections.ts'
import * as replies from './contract/replies.ts'
import * as wire from './contract.ts'
import { withDocuments } from './endpoints/documents.ts'
import { withSubscriptions } from './endpoints/subscriptions.ts'
import { administratorOf } from './env.ts'
import { errors } from './errors.ts'
import { mayProbe, probes } from './health.ts'
import { tryToFollow } from './instances.ts'
import { manifest } from './manifest.ts'
import { gauges } from './metrics.ts'
import * as queries from './queries.ts'
import { schema } from './schema.ts'

const storeOf = (env: Env) => open(env, schema)
const builtinOf = (env: Env) => administratorOf(env).name
const configuration = api<Env, keyof typeof errors>({
  errors,
  name: 'bus',
  title: 'Integration bus',
  description: texts.description,
  secretHeader: manifest.secretHeader,
  probes,
  mayProbe,
  gauges,
  prepare: (env) => prepareInstance(env).then(() => tryToFollow(env)),
})
  .post(
    '/client',
    {
      adds: true,
      summary: 'Create a user',
      description:
        'Creates a user, who may then call the bus with `Api-Secret`. The reply has the secret; no later reply shows it. A new user has no access: grant it with `POST /access`. Administrators only.',
      params: wire.NewClient,
      reply: replies.newClient,
      status: 201,
      ...forAdministrators('manage', 'name_taken', 'secret_taken'),
    },
    async ({ env, params }) => ({ client: await clients.createClient(storeOf(env), params, new Date()) }),
  )

  .patch(
    '/client',
    {
      summary: 'Change a user or renew its secret',
      description:
        'Changes only the fields that are given. A new secret replaces the old one at once. The built-in administrator is configured by BOX_ADMIN_USER and BOX_ADMIN_SECRET: only its description can be changed here. Administrators only.',
      params: wire.ClientChanges,
      reply: replies.changedClient,
      ...forAdministrators('manage', 'builtin_administrator', 'client_not_found', 'secret_taken'),
    },
    async ({ env, params }) => ({
      client: await clients.changeClient(storeOf(env), builtinOf(env), params, new Date()),
    }),
  )

  .get(
    '/client',
    {
      summary: 'Get a user',
      description: 'Finds the user by `id` or `name`; with both, both must match. Administrators only.',
      params: wire.ClientBy,
      reply: replies.client,
      ...forAdministrators('read', 'client_not_found'),
    },
    async ({ env, params }) => ({ client: await clients.findClient(storeOf(env), params) }),
  )

  .get(
    '/clients',
    {
      summary: 'List users',
      description: 'Lists all users by id. Administrators only.',
      params: wire.BusPaging,
      reply: replies.clients,
      ...forAdministrators('read'),
    },
    ({ env, params }) => queries.readList(env, (bus) => clients.listClients(bus, params)),
  )

  .delete(
    '/client',
    {
      summary: 'Delete a user',
      description:
        'Deletes the user and its access; documents that it sent stay. Other instances disable the user. Administrators only.',
      params: wire.ClientOf,
      ...forAdministrators('manage', 'builtin_administrator', 'client_not_found'),
    },
    async ({ env, params }) => clients.deleteClient(storeOf(env), builtinOf(env), params.id, new Date()),
  )

  .post(
    '/collection',
    {
      adds: true,
      summary: 'Create a collection',
      description:
        'Creates a collection and its table of documents. `handler` is required for the types sync and async. The name `system` is reserved. Administrators only.',
      params: wire.NewCollection,
      reply: replies.collection,
      status: 201,
      ...forAdministrators('manage', 'collection_reserved', 'name_taken'),
    },
    async ({ env, params }) => ({
      collection: await collections.createCollection(storeOf(env), env, params, new Date()),
    }),
  )

  .patch(
    '/collection',
    {
      summary: 'Change a collection',
      description:
        'Changes only the fields that are given. The new type applies to new documents; documents in delivery go to the new handler. 400 if the type is then sync or async and the collection has no handler. Administrators only.',
      params: wire.CollectionChanges,
      reply: replies.collection,
      ...forAdministrators('manage', 'collection_not_found'),
    },
    async ({ env, params }) => ({
      collection: await collections.changeCollection(storeOf(env), env, params, new Date()),
    }),
  )

  .get(
    '/collection',
    {
      summary: 'Get a collection',
      description: 'Finds the collection by `id` or `name`; with both, both must match. Administrators only.',
      params: wire.CollectionBy,
      reply: replies.collection,
      ...forAdministrators('read', 'collection_not_found'),
    },
    async ({ env, params }) => ({ collection: await collections.describeCollection(storeOf(env), params) }),
  )

  .get(
    '/collections',
    {
      summary: 'List collections',
      description: 'Lists all collections by id. Administrators only.',
      params: wire.BusPaging,
      reply: replies.collections,
      ...forAdministrators('read'),
    },
    ({ env, params }) => queries.readList(env, (bus) => collections.listCollections(bus, params)),
  )

  .delete(
    '/collection',
    {
      summary: 'Delete a collection',
      description:
        'Deletes the collection, all access to it, and with `force` its documents. Without `force`, a collection with documents gets 409 `collection_not_empty`. Other instances disable the collection. Administrators only.',
      params: wire.CollectionDeletion,
      ...forAdministrators('manage', 'collection_not_empty', 'collection_not_found'),
    },
    async ({ env, params }) => collections.deleteCollection(storeOf(env), params, new Date()),
  )

  .post(
    '/access',
    {
      adds: true,
      summary: 'Grant a user access to a collection',
      description:
        'Grants the user `client` access to the collection, both by id, and replaces the access that the user had to it. Takes effect at once. Administrators only.',
      params: wire.NewAccess,
      reply: replies.access,
      status: 201,
      ...forAdministrators('manage', 'access_not_found', 'client_not_found', 'collection_not_found'),
    },
    async ({ env, params }) => ({
      access: await accesses.grantAccess(storeOf(env), builtinOf(env), params, new Date()),
    }),
  )

  .get(
    '/accesses',
    {
      summary: 'List access',
      description:
        'Lists access by the names of user and collection, including access that another instance has granted to names that do not exist here yet. Administrators only.',
      params: wire.AccessFilter,
      reply: replies.accesses,
      ...forAdministrators('read'),
    },
    ({ env, params }) => queries.readList(env, (bus) => accesses.listAccesses(bus, params)),
  )

  .delete(
    '/access',
    {
      summary: 'Revoke access to a collection',
      description: 'Names the user and the collection by id or by name. Takes effect at once. Administrators only.',
      params: wire.AccessBy,
      ...forAdministrators('manage', 'access_not_found'),
    },
    async ({ env, params }) => accesses.revokeAccess(storeOf(env), builtinOf(env), params, new Date()),
  )

export const bus = withSubscriptions(withDocuments(configuration))
