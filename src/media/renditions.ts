// Durable object of one item: renders each thumbnail or video frame once, and deletes all of them with the item. renderer.ts does
// the rendering.
import { DurableObject } from 'cloudflare:workers'
import type { StorageEnv } from './env.ts'
import { missing } from './errors.ts'
import type { Item } from './items.ts'
import { removeObjects } from './pending-uploads.ts'
import { prefixOf, renditionKey } from './r2-keys.ts'
import { makeRendition, type RenditionRequest } from './renderer.ts'

/** Maximum number of stored renditions of an item. A limit is needed because every size in a URL creates another one. */
const maxRenditions = 1000

/** Serializes the renderings of one item. The name of the durable object is the digest of the item. */
export class Renditions extends DurableObject<StorageEnv> {
  #running = new Map<string, Promise<void>>()
  /**
   * Names of the renditions that this instance has stored. A request that found no object may have read R2 just before the object
   * was stored, and must not render it again.
   */
  #stored = new Set<string>()
  #isDeleted = false

  /** Renders an item and stores the result in R2 under a name. Concurrent calls share one rendering. */
  async make(item: Item, name: string, request: RenditionRequest): Promise<void> {
    // The caller read the item before or during its deletion. Rendering now would write an object that nothing deletes.
    if (this.#isDeleted) throw missing(request.of)
    const running = this.#running.get(name) ?? this.#make(item, name, request)
    this.#running.set(name, running)
    return running
  }

  /**
   * Deletes all objects of an item. Waits for running renderings first, which would otherwise write objects after the deletion. Can
   * be repeated.
   */
  async remove(digest: string): Promise<void> {
    this.#isDeleted = true
    await Promise.allSettled(this.#running.values())
    await removeObjects(this.env.FILES, prefixOf(digest))
    await this.ctx.storage.deleteAll()
  }

  async #make(item: Item, name: string, request: RenditionRequest): Promise<void> {
    try {
      if (this.#stored.has(name)) return
      await this.#makeRoom(item.digest)
      await makeRendition(this.env, item, name, request)
      this.#stored.add(name)
    } finally {
      this.#running.delete(name)
    }
  }

  /**
   * Counts the stored renditions, and deletes all of them at the limit, so that requests for many sizes cannot fill the storage. A
   * deleted rendition is rendered again on request.
   */
  async #makeRoom(digest: string): Promise<void> {
    const count = this.ctx.storage.kv.get<number>('kept') ?? 0
    this.ctx.storage.kv.put('kept', count < maxRenditions ? count + 1 : 1)
    if (count < maxRenditions) return
    this.#stored.clear()
    await removeObjects(this.env.FILES, renditionKey(digest, ''))
  }
}
