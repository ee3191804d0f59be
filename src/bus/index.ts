import * as z from 'zod'
import { open } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import { description } from './about.ts'
import * as accesses from './accesses.ts'
import type { Env } from './bindings.ts'
import { administration, callerOf, isAdministrator, isKnown } from './callers.ts'
import { deliver, replay } from './calling-back.ts'
import * as clients from './clients.ts'
import * as collections from './collections.ts'
import { listConflicts } from './conflicts.ts'
import * as wire from './contract.ts'
import { administratorOf } from './env.ts'
import { errors, queued, readable } from './errors.ts'
import { readInstances, tryToFollow } from './following.ts'
import { mayProbe, probes } from './health.ts'
import { manifest } from './manifest.ts'
import { prepareInstance } from './prepare.ts'
import * as reading from './reading.ts'
import { schema } from './schema.ts'
import { sendDocument } from './sending.ts'
import { isQueue } from './tasks.ts'

const storeOf = (env: Env) => open(env, schema)
const builtinOf = (env: Env) => administratorOf(env).name

export const bus = api<Env, keyof typeof errors>({
  errors,
  name: 'bus',
  title: 'Integration bus',
  description,
  secretHeader: manifest.secretHeader,
  probes,
  mayProbe,
  prepare: (env) => prepareInstance(env).then(() => tryToFollow(env)),
})
  .post(
    '/client',
    {
      adds: true,
      summary: 'Create a user',
      description: 'The reply has its secret, which is shown this once. Administrators only, as all about users.',
      params: wire.NewClient,
      reply: { client: wire.ClientWithSecret },
      status: 201,
      errors: ['forbidden', 'name_taken', 'secret_taken'],
      proof: isAdministrator,
    },
    async ({ env, params }) => ({ client: await clients.createClient(storeOf(env), params, new Date()) }),
  )

  .patch(
    '/client',
    {
      summary: 'Change a user, or renew its secret',
      description: 'Of the built-in administrator only the description changes here (409).',
      params: wire.ClientChanges,
      reply: { client: wire.ClientWithSecret },
      errors: ['builtin_administrator', 'client_not_found', 'forbidden', 'secret_taken'],
      proof: isAdministrator,
    },
    async ({ env, params }) => ({
      client: await clients.changeClient(storeOf(env), builtinOf(env), params, new Date()),
    }),
  )

  .get(
    '/client',
    {
      summary: 'Read a user',
      params: wire.ClientBy,
      reply: { client: wire.Client },
      errors: ['client_not_found', 'forbidden'],
      proof: isAdministrator,
    },
    async ({ env, params }) => ({ client: await clients.findClient(storeOf(env), params) }),
  )

  .get(
    '/clients',
    {
      summary: 'List the users',
      params: wire.BusPaging,
      reply: { clients: z.array(wire.Client), nb_results },
      ...administration,
    },
    ({ env, params }) => reading.readList(env, (bus) => clients.listClients(bus, params)),
  )

  .delete(
    '/client',
    {
      summary: 'Delete a user, and what it was granted',
      params: wire.ClientOf,
      errors: ['builtin_administrator', 'client_not_found', 'forbidden'],
      proof: isAdministrator,
    },
    async ({ env, params }) => clients.deleteClient(storeOf(env), builtinOf(env), params.id, new Date()),
  )

  .post(
    '/collection',
    {
      adds: true,
      summary: 'Create a collection',
      description: 'Administrators only, as all about collections.',
      params: wire.NewCollection,
      reply: { collection: wire.Collection },
      status: 201,
      errors: ['collection_reserved', 'forbidden', 'name_taken'],
      proof: isAdministrator,
    },
    async ({ env, params }) => ({
      collection: await collections.createCollection(storeOf(env), env, params, new Date()),
    }),
  )

  .patch(
    '/collection',
    {
      summary: 'Change a collection',
      params: wire.CollectionChanges,
      reply: { collection: wire.Collection },
      errors: readable,
      proof: isAdministrator,
    },
    async ({ env, params }) => ({
      collection: await collections.changeCollection(storeOf(env), env, params, new Date()),
    }),
  )

  .get(
    '/collection',
    {
      summary: 'Read a collection',
      params: wire.CollectionBy,
      reply: { collection: wire.Collection },
      errors: readable,
      proof: isAdministrator,
    },
    async ({ env, params }) => ({ collection: await collections.findCollection(storeOf(env), params) }),
  )

  .get(
    '/collections',
    {
      summary: 'List the collections',
      params: wire.BusPaging,
      reply: { collections: z.array(wire.Collection), nb_results },
      ...administration,
    },
    ({ env, params }) => reading.readList(env, (bus) => collections.listCollections(bus, params)),
  )

  .delete(
    '/collection',
    {
      summary: 'Delete a collection, and what was granted on it',
      params: wire.CollectionDeletion,
      errors: ['collection_not_empty', 'collection_not_found', 'forbidden'],
      proof: isAdministrator,
    },
    async ({ env, params }) => collections.deleteCollection(storeOf(env), params, new Date()),
  )

  .post(
    '/access',
    {
      adds: true,
      summary: 'Grant a user access to a collection, in place of what it had there',
      description: 'Administrators only, as all about access.',
      params: wire.NewAccess,
      reply: { access: wire.Access },
      status: 201,
      errors: ['access_not_found', 'client_not_found', 'collection_not_found', 'forbidden'],
      proof: isAdministrator,
    },
    async ({ env, params }) => ({
      access: await accesses.grantAccess(storeOf(env), builtinOf(env), params, new Date()),
    }),
  )

  .get(
    '/accesses',
    {
      summary: 'List what was granted',
      params: wire.AccessFilter,
      reply: { accesses: z.array(wire.ListedAccess), nb_results },
      ...administration,
    },
    ({ env, params }) => reading.readList(env, (bus) => accesses.listAccesses(bus, params)),
  )

  .delete(
    '/access',
    {
      summary: 'Take back what a user was granted',
      params: wire.HeldAccess,
      errors: ['access_not_found', 'forbidden'],
      proof: isAdministrator,
    },
    async ({ env, params }) => accesses.revokeAccess(storeOf(env), builtinOf(env), params, new Date()),
  )

  .post(
    '/document',
    {
      adds: true,
      summary: 'Send a document',
      description:
        'Needs write access. The uuid is the idempotency key of a document in its collection: a repeat with the same event, data and webhook gets the first document, any other 409 `uuid_taken`; the order of keys in data does not matter. 2xx is success, and any other 4xx than 408, 425 and 429 is final too. sync: the reply waits for the handler; a repeat during the call gets the same answer, and a repeat after an answer that is not final calls again. async: after no answer, 408, 425, 429, 5xx or a redirect that would change the method, the handler is retried after 10 s, 1, 5 and 15 min, 1 h, then hourly for 75 h, with up to 20 % jitter and not before the Retry-After of a 429 or 503 (up to 1 h). The webhook is retried on the same schedule until it answers 2xx. While a handler or webhook is down, one document at a time probes it, and the others wait.',
      params: wire.NewDocument,
      reply: { document: wire.Document, response: wire.HandlerOutcome.optional() },
      status: 201,
      errors: [...readable, ...queued, 'collection_disabled', 'collection_reserved', 'uuid_taken'],
      proof: isKnown,
    },
    async ({ env, ctx, request, params }) => sendDocument(env, ctx, await callerOf(request), params),
  )

  .get(
    '/documents',
    {
      summary: 'List documents after an id, or the newest ones',
      description: 'Needs read access.',
      params: wire.Listing,
      reply: wire.documentPage,
      errors: readable,
      proof: isKnown,
    },
    async ({ env, request, params }) => reading.readPage(env, await callerOf(request), params),
  )

  .get(
    '/documents/count',
    {
      summary: 'Count documents after an id',
      description: 'Needs read access.',
      params: wire.CountOf,
      reply: wire.documentCount,
      errors: readable,
      proof: isKnown,
    },
    async ({ env, request, params }) => ({ documents: await reading.readCount(env, await callerOf(request), params) }),
  )

  .get(
    '/document',
    {
      summary: 'Read a document, and how far it is',
      description: 'Needs read access.',
      params: wire.DocumentOf,
      reply: { document: wire.DocumentInFull },
      errors: [...readable, 'document_not_found'],
      proof: isKnown,
    },
    async ({ env, request, params }) => ({
      document: await reading.readDocument(env, await callerOf(request), params),
    }),
  )

  .post(
    '/document/replay',
    {
      summary: 'Replay an async document',
      description:
        'Calls the handler again from the start of the retry schedule, with the same uuid and webhook-id, whatever it has answered before; the webhook then gets the new answer, with a webhook-id of its own. Needs write access. 409 `document_processing` during a delivery, 409 `not_async` for a document without a webhook.',
      params: wire.DocumentOf,
      reply: { document: wire.DocumentInFull },
      errors: [...readable, ...queued, 'collection_reserved', 'document_not_found', 'document_processing', 'not_async'],
      proof: isKnown,
    },
    async ({ env, request, params }) => ({ document: await replay(env, await callerOf(request), params) }),
  )

  .post(
    '/callback',
    {
      summary: 'What the queue calls when a document is due',
      description: 'It carries a proof, in place of a secret, that only the bus can give it.',
      params: wire.Callback,
      errors: [...queued, 'collection_not_found'],
      proof: isQueue,
    },
    ({ env, params }) => deliver(env, params),
  )

  .get(
    '/synchronisation',
    {
      summary: 'Get the state of the synchronisation',
      description:
        'How far the log of each instance is read, and the newest 100 conflicts: changes that were made here and that a later change of another instance has replaced, which was made without knowing them. Administrators only. Empty unless BOX_IS_SYSTEM is set.',
      reply: { instances: z.array(wire.Instance), conflicts: z.array(wire.Conflict) },
      ...administration,
    },
    async ({ env }) => ({ instances: await readInstances(env), conflicts: await listConflicts(storeOf(env)) }),
  )
