// Helper of the bus's tests: an async collection with one document, and functions to deliver, read and replay it.
import { eq } from 'drizzle-orm'
import { type Documents, documentsOf } from '#bus/schema'
import { createCollectionAndUser, type Task, type TestedBus } from './support.ts'

/** Creates an async collection with this handler. Returns a document for it, and functions that send, read, change and replay it. */
export async function delivering(tested: TestedBus, handler: string, webhook: string) {
  const { collection, client } = await createCollectionAndUser(tested, 'async', { handler })
  const sent = { collection: collection.name, event: 'ask', uuid: crypto.randomUUID(), data: [1], webhook }
  const documents = documentsOf(tested.bus, collection.id)
  const post = () => tested.send('POST', '/document', sent, client.secret)
  return {
    collection,
    client,
    sent,
    post,
    /** Sends the document, and returns the task that the bus created for it in the queue. */
    posted: async (): Promise<Task> => {
      await post()
      return tested.queue.takeTasks()[0]!
    },
    read: async () => {
      const { document } = await tested.content('GET', '/document', { collection: collection.name, id: 1 })
      return document as unknown as Record<string, unknown>
    },
    set: (columns: Partial<Documents['$inferInsert']>) =>
      tested.bus.db.update(documents).set(columns).where(eq(documents.id, 1)),
    replay: () => tested.send('POST', '/document/replay', { collection: collection.name, id: 1 }, client.secret),
  }
}
