import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Progress, State, sizeOf } from '../../parts/bits.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { type ShownItem, useVideo } from './items.ts'

/** An item as a picture of it, and what it is. */
export function Tile({ item }: { item: ShownItem }) {
  const { digest, kind, name, extension, size } = item
  return (
    <article class="tile">
      <a href={hrefOf(['media', kind, digest])}>
        <Picture item={item} />
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

/** The name of the file that it was. */
export const titleOf = ({ name, extension, kind }: Pick<ShownItem, 'name' | 'extension'> & { kind: string }) =>
  [name || `Unnamed ${kind}`, extension].filter(Boolean).join('.')

/** Seconds as minutes and seconds. */
export function lengthOf(duration: string): string {
  const seconds = Math.round(Number(duration))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const size = { w: 320, h: 240, m: 'c' } as const

function Picture({ item: { digest, kind, extension, state, failure } }: { item: ShownItem }) {
  if (kind === 'image') return <Thumbnail src={q().media.url('/image/{digest}', { digest, ...size })} />
  if (kind === 'audio') return <Sign>♪</Sign>
  if (kind === 'file') return <Sign>{extension || 'file'}</Sign>
  if (state === 'processing') return <Processing digest={digest} />
  return <Frame digest={digest} failure={failure} />
}

/** How far a video is, and a frame of it as soon as there is one. */
function Processing({ digest }: { digest: string }) {
  const { data } = useVideo(digest)
  if (data && data.state !== 'processing') return <Frame digest={digest} failure={data.failure} />
  return (
    <Sign>
      <State of="processing" />
      <Progress of={data?.progress ?? 0} label="Processed of the video" />
    </Sign>
  )
}

function Frame({ digest, failure }: { digest: string; failure: ShownItem['failure'] }) {
  if (!failure) return <Thumbnail src={q().media.url('/video/{digest}/preview', { digest, ...size })} />
  return (
    <Sign>
      <State of="failed" />
      <span class="wrong">{reasonOf(failure)}</span>
    </Sign>
  )
}

/** Why a video has failed, as a sentence. */
export const reasonOf = (failure: NonNullable<ShownItem['failure']>): string =>
  ({
    unreadable: 'It cannot be read.',
    too_long: 'It is too long.',
    too_large: 'It is too large.',
    out_of_memory: 'It needs more memory than there is.',
    killed: 'Its processing was ended.',
  })[failure]

/** What stands where there is nothing to look at. */
const Sign = ({ children }: { children: ComponentChildren }) => <span class="picture sign">{children}</span>

function Thumbnail({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Sign>no picture</Sign>
  return <img class="picture" src={src} alt="" loading="lazy" onError={() => setBroken(true)} />
}
