// Hooks that load media items: the list, and a video, which is polled while it is processing.
import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { usePaged } from '../../paged.ts'
import { isRefusal, q } from '../../session.ts'
import { useData } from '../../use.ts'
import type { UploadKind } from './uploads.ts'

export type ShownItem = Reply<'media', 'get', '/items'>['items'][number]

const limit = 48

/** Loads the items of one kind or of all kinds, page by page, newest first. */
export const useItems = (kind: UploadKind | undefined) =>
  usePaged<ShownItem>(
    async (before, signal) => {
      const params = { ...(kind && { kind }), ...(before && { before }), limit }
      const { items, next } = await q().media.get('/items', params, { signal })
      return { rows: items, next }
    },
    ({ digest }) => digest,
    [kind],
  )

/** Loads a video. While the video is processing, polls its progress every second. */
export function useVideo(digest: string) {
  const [isFinal, setFinal] = useState(false)
  return useData(
    async (signal) => {
      try {
        const video = await q().media.get('/video/{digest}/info', { digest }, { signal })
        setFinal(video.state !== 'processing')
        return video
      } catch (error) {
        // An API error, such as 404 for a deleted video, is permanent and ends the polling. After a network error the polling
        // continues.
        if (isRefusal(error)) setFinal(true)
        throw error
      }
    },
    [digest],
    isFinal ? {} : { every: 1_000 },
  )
}
