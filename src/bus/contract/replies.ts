// The fields of `content` in the replies of the bus, by operation. Their schemas are in contract.ts.

import * as z from 'zod'
import { nb_results } from '#core/http/fields'
import * as wire from '../contract.ts'
import * as documents from './documents.ts'
import { Conflict, Instance } from './replication.ts'

export const newClient = { client: wire.ClientWithSecret.describe('The new user with its secret') }
export const changedClient = {
  client: wire.ClientWithSecret.describe('The changed user, with its secret if `renew_secret` was given'),
}
export const client = { client: wire.Client.describe('The user, without its secret') }
export const clients = { clients: z.array(wire.Client).describe('Users of the page, sorted by id'), nb_results }

export const collection = { collection: wire.Collection.describe('The collection') }
export const collections = {
  collections: z.array(wire.Collection).describe('Collections of the page, sorted by id'),
  nb_results,
}

export const access = { access: wire.Access.describe('The granted access') }
export const accesses = {
  accesses: z.array(wire.ListedAccess).describe('Access of the page, sorted by the names of user and collection'),
  nb_results,
}

export const sentDocument = {
  document: documents.Document.describe('The stored document; for a repeat, the first document with this uuid'),
  response: documents.HandlerOutcome.optional().describe(
    'Answer of the handler; only for a collection of the type sync',
  ),
}
export const document = { document: documents.DocumentDetails.describe('The document with its delivery state') }

export const synchronisation = {
  instances: z.array(Instance).describe('Replication state of each other instance, in the order of BOX_INSTANCES'),
  conflicts: z.array(Conflict).describe('Conflicts, the newest first'),
}
