// Endpoints of documents: send, list, read, replay and deliver them.
import { open } from '#core/db/open'
import type { ComponentApi } from '#core/http/api'
import { callbackOnly } from '#core/http/proof'
import * as texts from '../api-texts.ts'
import type { Env } from '../bindings.ts'
import { deliver, replay } from '../callbacks.ts'
import { callerOf, forAdministrators, forUsers } from '../callers.ts'
import { listConflicts } from '../conflicts.ts'
import { AttemptsOf, attempts } from '../contract/attempts.ts'
import * as wire from '../contract/documents.ts'
import { OperationOf, operation, Replay, startedOperation } from '../contract/operations.ts'
import * as replies from '../contract/replies.ts'
import { deleteDocument } from '../deletion.ts'
import { type errors, queued } from '../errors.ts'
import { readInstances } from '../instances.ts'
import { readOperation, startReplay } from '../operations.ts'
import * as queries from '../queries.ts'
import { schema } from '../schema.ts'
import { submitDocument } from '../submission.ts'
import { isQueue } from '../tasks.ts'

/** Adds the endpoints of documents to the API. */
export const withDocuments = <Calls>(api: ComponentApi<Env, Calls, keyof typeof errors>) =>
  api
    .post(
      '/document',
      {
        adds: true,
        summary: 'Send a document',
        description: texts.submission,
        params: wire.NewDocument,
        reply: replies.sentDocument,
        status: 201,
        ...forUsers('write', ...queued, 'collection_disabled', 'collection_reserved', 'uuid_taken'),
      },
      async (call) => submitDocument(call.env, call.ctx, await callerOf(call), call.params),
    )

    .get(
      '/documents',
      {
        summary: 'List documents',
        description: texts.listing,
        params: wire.Listing,
        reply: wire.documentPage,
        ...forUsers('read'),
      },
      async (call) => queries.readPage(call.env, await callerOf(call), call.params),
    )

    .get(
      '/documents/count',
      {
        summary: 'Count documents after an id',
        description: 'Counts the documents with a greater id than `id`; all of them with 0. Needs read access.',
        params: wire.CountOf,
        reply: wire.documentCount,
        ...forUsers('read'),
      },
      async (call) => ({ documents: await queries.readCount(call.env, await callerOf(call), call.params) }),
    )

    .get(
      '/document',
      {
        summary: 'Get a document and its delivery state',
        description: 'Returns a document with its state, attempts, last answer and next attempt. Needs read access.',
        params: wire.DocumentOf,
        reply: replies.document,
        ...forUsers('read', 'document_not_found'),
      },
      async (call) => queries.readDocument(call.env, await callerOf(call), call.params),
    )

    .get(
      '/document/attempts',
      {
        summary: 'List the attempts of a document',
        description: texts.attempts,
        params: AttemptsOf,
        reply: attempts,
        ...forUsers('read', 'document_not_found'),
      },
      async (call) => ({ attempts: await queries.readAttempts(call.env, await callerOf(call), call.params) }),
    )

    .post(
      '/document/replay',
      {
        summary: 'Replay an async document',
        description: texts.replaying,
        params: wire.DocumentOf,
        reply: replies.document,
        ...forUsers(
          'write',
          ...queued,
          'collection_reserved',
          'document_not_found',
          'document_processing',
          'not_async',
        ),
      },
      async (call) => ({ document: await replay(call.env, await callerOf(call), call.params) }),
    )

    .post(
      '/documents/replay',
      {
        summary: 'Replay the documents of a collection',
        description: texts.bulkReplay,
        params: Replay,
        reply: startedOperation,
        status: 202,
        ...forUsers('write', 'not_async', 'operations_full', 'subscription_not_found'),
      },
      async (call) => ({ operation: await startReplay(call.env, call.ctx, await callerOf(call), call.params) }),
    )

    .get(
      '/operation',
      {
        summary: 'Get the progress of a bulk replay',
        description:
          'Returns the state of an operation that `POST /documents/replay` started, until 30 days after its end. Needs read access.',
        params: OperationOf,
        reply: operation,
        ...forUsers('read', 'operation_not_found'),
      },
      async (call) => ({ operation: await readOperation(call.env, await callerOf(call), call.params) }),
    )

    .delete(
      '/document',
      {
        summary: 'Delete a document',
        description: texts.deletion,
        params: wire.DocumentOf,
        ...forUsers('write', 'document_not_found', 'document_processing'),
      },
      async (call) => deleteDocument(call.env, await callerOf(call), call.params),
    )

    .post(
      '/callback',
      {
        level: 'write',
        summary: 'Deliver a due document (called by the queue)',
        description:
          'Internal: only the queue calls it. Calls the handler of the collection and then the webhook, stores the outcome, and creates a task for the next attempt if needed. The call carries a signature of the bus (header `Bus-Proof`) instead of the secret of a user. The reply is 200 whether the handler and the webhook succeed or fail, and also if there is nothing to do: the document is done, is not due, or was deleted, alone or with its collection.',
        params: wire.Callback,
        errors: queued,
        proof: isQueue,
        ...callbackOnly,
      },
      ({ env, params }) => deliver(env, params),
    )

    .get(
      '/synchronisation',
      {
        summary: 'Get the state of synchronisation',
        description: texts.synchronisation,
        reply: replies.synchronisation,
        ...forAdministrators('read'),
      },
      async ({ env }) => ({ instances: await readInstances(env), conflicts: await listConflicts(open(env, schema)) }),
    )
