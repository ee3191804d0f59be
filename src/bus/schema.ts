// Database tables of the bus. Each collection has a separate table of documents, which is created with the collection.
import { sql } from 'drizzle-orm'
import { defineSchema, type Kit, type kits } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(
  ({ table, id, appendId, text, integer, boolean, time, index, unique, primaryKey }) => {
    // Callers of the API, which its texts call users.
    const clients = table(
      'bus_clients',
      {
        id: id(),
        name: text().notNull(),
        // SHA-256 in hexadecimal. The secret itself is not stored.
        secret_hash: text().notNull(),
        is_admin: boolean().notNull(),
        is_disabled: boolean().notNull(),
        description: text(),
        created_at: time().notNull(),
        updated_at: time().notNull(),
      },
      (t) => [unique('bus_clients_name').on(t.name), unique('bus_clients_secret').on(t.secret_hash)],
    )

    const collections = table(
      'bus_collections',
      {
        id: id(),
        name: text().notNull(),
        type: text().notNull(),
        handler: text(),
        is_disabled: boolean().notNull(),
        description: text(),
        // Whether the documents table of the collection exists.
        is_ready: boolean().notNull(),
        // Days for which documents are stored; null for `BOX_RETENTION`.
        retention: integer(),
        // Maximum number of concurrent deliveries; null for the default.
        concurrency: integer(),
        // Whether an answer 4xx is retried before it is final.
        retry_rejected: boolean().notNull().default(false),
        // Encrypted signing secrets as JSON: one or two for the handler, and for each origin of webhooks. See `signing-secrets.ts`.
        secrets: text().notNull().default('{}'),
        created_at: time().notNull(),
        updated_at: time().notNull(),
      },
      (t) => [unique('bus_collections_name').on(t.name)],
    )

    // Access, by the names of user and collection. Names are the same on all instances, and access may arrive before the objects it names.
    const accesses = table(
      'bus_accesses',
      { client: text().notNull(), collection: text().notNull(), level: text().notNull() },
      (t) => [primaryKey({ columns: [t.client, t.collection] })],
    )

    // The replication log: the newest change of each client, collection and access, in the order in which other instances read it.
    const changes = table(
      'bus_changes',
      {
        position: integer().notNull(),
        kind: text().notNull(),
        client: text().notNull(),
        collection: text().notNull(),
        // Hybrid logical clock in milliseconds, and the instance of the change: of two changes, the one with the greater pair wins.
        at: integer().notNull(),
        origin: text().notNull(),
        is_deleted: boolean().notNull(),
        // For clients and collections: the time of the last creation of the name, or after its last deletion. Access that was granted
        // before is void. The value only grows, and all instances converge to the greatest.
        since: integer().notNull().default(0),
        // The newest time of each instance that this change builds on, as JSON: a version vector, by which conflicts are found.
        seen: text().notNull().default('{}'),
      },
      (t) => [primaryKey({ columns: [t.kind, t.client, t.collection] }), unique('bus_changes_position').on(t.position)],
    )

    const settings = table('bus_settings', { name: text().notNull(), value: text().notNull() }, (t) => [
      primaryKey({ columns: [t.name] }),
    ])

    // Position up to which the log of each other instance was read. Stored with the data, so that a restored backup is read again.
    const peers = table(
      'bus_peers',
      { url: text().notNull(), instance: text().notNull(), position: integer().notNull() },
      (t) => [primaryKey({ columns: [t.url] })],
    )

    // The newest change of each user that waits for another user to give up the same secret.
    const blocked = table(
      'bus_blocked',
      {
        name: text().notNull(),
        secret_hash: text().notNull(),
        at: integer().notNull(),
        origin: text().notNull(),
        // The change as JSON.
        change: text().notNull(),
      },
      (t) => [primaryKey({ columns: [t.name] })],
    )

    // Changes of other instances that could not be applied and are retried.
    const skipped = table(
      'bus_skipped',
      {
        ...{ url: text().notNull(), position: integer().notNull(), reason: text().notNull() },
        // The change as JSON.
        change: text().notNull(),
        tried_at: time().notNull(),
      },
      (t) => [primaryKey({ columns: [t.url, t.position] })],
    )

    // Changes that were made here, and replaced by another instance's change that was made without knowing them.
    const conflicts = table(
      'bus_conflicts',
      {
        id: id(),
        kind: text().notNull(),
        client: text().notNull(),
        collection: text().notNull(),
        replaced_at: integer().notNull(),
        // Both values as JSON, without secrets.
        replaced: text().notNull(),
        kept: text().notNull(),
        kept_at: integer().notNull(),
        kept_origin: text().notNull(),
        found_at: time().notNull(),
      },
      (t) => [
        unique('bus_conflicts_change').on(t.kind, t.client, t.collection, t.replaced_at, t.kept_at, t.kept_origin),
      ],
    )

    // Circuit breakers: destinations (handlers and origins of webhooks) that have failed since their last answer. See `circuit.ts`.
    const circuits = table(
      'bus_circuits',
      {
        collection: integer().notNull(),
        // The origin of webhooks; empty for the collection's handler.
        origin: text().notNull(),
        failures: integer().notNull(),
        opened_at: time().notNull(),
        probe_at: time().notNull(),
        // The lease of the probe that is under way.
        probing_until: time(),
      },
      (t) => [
        primaryKey({ columns: [t.collection, t.origin] }),
        index('bus_circuits_probing').on(t.probing_until),
        index('bus_circuits_probe_at').on(t.probe_at),
      ],
    )

    // Calls to handlers, webhooks and subscribers, of all documents. Only added and deleted, never changed. See `attempts.ts`.
    const attempts = table(
      'bus_attempts',
      {
        // Ids of deleted attempts may be given again: a cursor is used within one document, whose newest attempt is kept.
        id: appendId(),
        collection: integer().notNull(),
        document: integer().notNull(),
        // `handler`, `webhook`, or the id of a subscription.
        target: text().notNull(),
        attempt: integer().notNull(),
        started_at: time().notNull(),
        duration_ms: integer().notNull(),
        // Null without an answer.
        status: integer(),
        error: text(),
        // JSON with some headers of the answer.
        headers: text(),
        // The beginning of the answer, masked.
        body: text(),
      },
      (t) => [index('bus_attempts_document').on(t.collection, t.document, t.target)],
    )

    // URLs that get the documents of a collection beside its handler. The collection is named, as in `accesses`.
    const subscriptions = table(
      'bus_subscriptions',
      {
        // A UUID, the same on all instances.
        id: text().notNull(),
        collection: text().notNull(),
        url: text().notNull(),
        // Names of events as JSON, with `*` at the end for any text; empty for all documents.
        events: text().notNull(),
        // One or two encrypted signing secrets as JSON.
        secrets: text().notNull(),
        is_disabled: boolean().notNull(),
        // `gone` after an answer 410.
        disabled_because: text(),
        created_at: time().notNull(),
        updated_at: time().notNull(),
      },
      (t) => [primaryKey({ columns: [t.id] }), index('bus_subscriptions_collection').on(t.collection)],
    )

    // Deliveries of documents to subscribers.
    const deliveries = table(
      'bus_deliveries',
      {
        ...{ collection: integer().notNull(), document: integer().notNull(), subscription: text().notNull() },
        ...{ state: text().notNull(), attempts: integer().notNull(), status_code: integer(), delivered_at: time() },
        // Time of the next attempt; null if nothing is left to do.
        next_at: time(),
        ...{ lease_until: time(), holder: text() },
      },
      (t) => [
        primaryKey({ columns: [t.collection, t.document, t.subscription] }),
        index('bus_deliveries_next_at').on(t.subscription, t.next_at).where(sql`next_at IS NOT NULL`),
      ],
    )

    // Bulk replays and deletions that run in the background. See `operations.ts`.
    const operations = table(
      'bus_operations',
      {
        id: text().notNull(),
        kind: text().notNull(),
        collection: integer().notNull(),
        // The filter of a replay as JSON.
        filter: text().notNull(),
        state: text().notNull(),
        // Id of the last document that was searched, and of the last to search.
        ...{ position: integer().notNull(), last: integer().notNull() },
        ...{ matched: integer().notNull(), done: integer().notNull() },
        created_at: time().notNull(),
        ended_at: time(),
        // When the next run may begin: the end of the lease of the current one. Null if it has ended.
        next_at: time(),
      },
      (t) => [
        primaryKey({ columns: [t.id] }),
        index('bus_operations_next_at').on(t.next_at).where(sql`next_at IS NOT NULL`),
        index('bus_operations_ended_at').on(t.ended_at).where(sql`ended_at IS NOT NULL`),
      ],
    )

    return {
      ...{ clients, collections, accesses, changes, settings, peers, blocked, skipped, conflicts, circuits, attempts },
      ...{ subscriptions, deliveries, operations },
    }
  },
)

export type Bus = StoreOf<typeof schema>

/** The table of one collection's documents, created with the collection. */
const documentsTable = ({ table, appendId, text, integer, time, index, unique }: Kit, collectionId: number) => {
  const name = `bus_documents_${collectionId}`
  return table(
    name,
    {
      id: appendId(),
      event: text().notNull(),
      uuid: text().notNull(),
      data: text().notNull(),
      webhook: text(),
      created_at: time().notNull(),
      // Delivery state; null in a storage collection.
      state: text(),
      attempts: integer().notNull(),
      webhook_attempts: integer().notNull(),
      // The handler's last answer, the body as JSON text.
      status_code: integer(),
      body: text(),
      webhook_status: integer(),
      answered_at: time(),
      delivered_at: time(),
      // Time of the next attempt by the queue. Null if nothing is left to do, or the collection is sync.
      next_at: time(),
      // The lease: its end, and the request or delivery that holds it.
      lease_until: time(),
      holder: text(),
    },
    (t) => [
      unique(`${name}_uuid`).on(t.uuid),
      index(`${name}_next_at`).on(t.next_at).where(sql`next_at IS NOT NULL`),
      index(`${name}_undelivered`).on(t.state, t.id).where(sql`state IN ('rejected', 'failed')`),
    ],
  )
}

/** `uuid` of the hidden row that the deletion of a collection's newest document leaves. No document of a sender has it. */
export const deletedUuid = 'deleted'

export type Documents = ReturnType<typeof documentsTable>

const tables: Record<keyof typeof kits, Map<number, Documents>> = { d1: new Map(), postgres: new Map() }

/** The documents table of a collection, by id, so that no name from a caller becomes SQL. */
export function documentsOf({ dialect, kit }: Pick<Bus, 'dialect' | 'kit'>, collectionId: number): Documents {
  const documents = tables[dialect].get(collectionId) ?? documentsTable(kit, collectionId)
  tables[dialect].set(collectionId, documents)
  return documents
}
