// A tile of the list of media items.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Progress, State, sizeOf } from '../../parts/bits.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { type ShownItem, useVideo } from './items.ts'

/** Shows one item of the list: a thumbnail, the name, the kind and the size. */
export function Tile({ item }: { item: ShownItem }) {
  const { digest, kind, name, extension, size } = item
  return (
    <article class="tile">
      <a href={hrefOf(['media', kind, digest])}>
        <ItemPreview item={item} />
        <span class="name">{titleOf(item)}</span>
      </a>
      <span class="quiet">
        {[kind === 'file' ? extension : kind, sizeOf(size), item.duration && lengthOf(item.duration)]
          .filter(Boolean)
          .join(', ')}
      </span>
      {!name && <span class="quiet">{digest}</span>}
    </article>
  )
}

/** Returns the file name of an item with its extension. */
export const titleOf = ({ name, extension, kind }: Pick<ShownItem, 'name' | 'extension'> & { kind: string }) =>
  [name || `Unnamed ${kind}`, extension].filter(Boolean).join('.')

/** Formats a duration in seconds as minutes and seconds. */
export function lengthOf(duration: string): string {
  const seconds = Math.round(Number(duration))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const size = { w: 320, h: 240, m: 'c' } as const

function ItemPreview({ item: { digest, kind, extension, state, failure } }: { item: ShownItem }) {
  if (kind === 'image') return <Thumbnail src={q().media.url('/image/{digest}', { digest, ...size })} />
  if (kind === 'audio') return <Placeholder>♪</Placeholder>
  if (kind === 'file') return <Placeholder>{extension || 'file'}</Placeholder>
  if (state === 'processing') return <Processing digest={digest} />
  return <VideoPreview digest={digest} failure={failure} />
}

/** Shows the progress of a video, and its preview once the video is ready. */
function Processing({ digest }: { digest: string }) {
  const { data } = useVideo(digest)
  if (data && data.state !== 'processing') return <VideoPreview digest={digest} failure={data.failure} />
  return (
    <Placeholder>
      <State of="processing" />
      <Progress of={data?.progress ?? 0} label="Progress of the transcoding" />
    </Placeholder>
  )
}

function VideoPreview({ digest, failure }: { digest: string; failure: ShownItem['failure'] }) {
  if (!failure) return <Thumbnail src={q().media.url('/video/{digest}/preview', { digest, ...size })} />
  return (
    <Placeholder>
      <State of="failed" />
      <span class="wrong">{reasonOf(failure)}</span>
    </Placeholder>
  )
}

/** Describes the reason why a video failed. */
export const reasonOf = (failure: NonNullable<ShownItem['failure']>): string =>
  ({
    unreadable: 'The file cannot be decoded.',
    too_long: 'Transcoding took too long.',
    too_large: 'Transcoding needs too much disk space.',
    out_of_memory: 'Transcoding needs too much memory.',
    killed: 'The container stopped repeatedly while transcoding.',
  })[failure]

/** Shown in place of a thumbnail if the item has none. */
const Placeholder = ({ children }: { children: ComponentChildren }) => <span class="picture sign">{children}</span>

function Thumbnail({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Placeholder>no preview</Placeholder>
  return <img class="picture" src={src} alt="" loading="lazy" onError={() => setBroken(true)} />
}
