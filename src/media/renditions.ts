import { DurableObject } from 'cloudflare:workers'
import type { StorageEnv } from './env.ts'
import { missing } from './errors.ts'
import type { Item } from './items.ts'
import { removeObjects } from './pending-uploads.ts'
import { prefixOf, renditionKey } from './r2-keys.ts'
import { makeRendition, type RenditionRequest } from './renderer.ts'

/** Renditions of an item that are kept. */
const maxRenditions = 1000

/** What one item is shown as: its renditions are made here, each once, and removed with it. */
export class Renditions extends DurableObject<StorageEnv> {
  #making = new Map<string, Promise<void>>()
  /** Names of what was made since this object was there: who missed one of these missed it by a moment. */
  #made = new Set<string>()
  #isGone = false

  /** Makes a rendition of an item and keeps it in R2 under a name; whoever asks meanwhile waits for the same work. */
  async make(item: Item, name: string, asked: RenditionRequest): Promise<void> {
    // It was found before it was deleted, or while it is.
    if (this.#isGone) throw missing(asked.of)
    const making = this.#making.get(name) ?? this.#make(item, name, asked)
    this.#making.set(name, making)
    return making
  }

  /** Removes all that R2 has of a digest whose item is about to go, and all that was still being made; may be repeated. */
  async remove(digest: string): Promise<void> {
    this.#isGone = true
    await Promise.allSettled(this.#making.values())
    await removeObjects(this.env.FILES, prefixOf(digest))
    await this.ctx.storage.deleteAll()
  }

  async #make(item: Item, name: string, asked: RenditionRequest): Promise<void> {
    try {
      if (this.#made.has(name)) return
      await this.#makeRoom(item.digest)
      await makeRendition(this.env, item, name, asked)
      this.#made.add(name)
    } finally {
      this.#making.delete(name)
    }
  }

  /** Counts what is kept. Who asks for every size there is fills no storage: past the most it begins anew. */
  async #makeRoom(digest: string): Promise<void> {
    const kept = this.ctx.storage.kv.get<number>('kept') ?? 0
    this.ctx.storage.kv.put('kept', kept < maxRenditions ? kept + 1 : 1)
    if (kept < maxRenditions) return
    this.#made.clear()
    await removeObjects(this.env.FILES, renditionKey(digest, ''))
  }
}
