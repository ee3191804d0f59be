import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { usePaged } from '../../paged.ts'
import { isRefusal, q } from '../../session.ts'
import { useData } from '../../use.ts'
import type { UploadKind } from './uploads.ts'

export type ShownItem = Reply<'media', 'get', '/items'>['items'][number]

const limit = 48

/** The items of a kind or of all, the newest first, as far as they have been asked for. */
export const useItems = (kind: UploadKind | undefined) =>
  usePaged<ShownItem>(
    async (before, signal) => {
      const asked = { ...(kind && { kind }), ...(before && { before }), limit }
      const { items, next } = await q().media.get('/items', asked, { signal })
      return { rows: items, next }
    },
    ({ digest }) => digest,
    [kind],
  )

/** A video; while it is processed, how far it is at the moment. */
export function useVideo(digest: string) {
  const [isOver, setOver] = useState(false)
  return useData(
    async (signal) => {
      try {
        const video = await q().media.get('/video/{digest}/info', { digest }, { signal })
        setOver(video.state !== 'processing')
        return video
      } catch (error) {
        // What is not there, or is deleted meanwhile, does not come by being asked for.
        if (isRefusal(error)) setOver(true)
        throw error
      }
    },
    [digest],
    isOver ? {} : { every: 1_000 },
  )
}
