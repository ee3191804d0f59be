import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Progress, State, sizeOf } from '../parts/bits.tsx'
import { hrefOf } from '../route.ts'
import { q } from '../session.ts'
import { useData } from '../use.ts'
import type { Item } from './media-items.ts'

type Video = Reply<'media', 'get', '/video/{digest}/info'>

/** An item as a picture of it, and what it is. */
export function Tile({ item }: { item: Item }) {
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
export const titleOf = ({ name, extension, kind }: Pick<Item, 'name' | 'extension'> & { kind: string }) =>
  [name || `Unnamed ${kind}`, extension].filter(Boolean).join('.')

/** Seconds as minutes and seconds. */
export function lengthOf(duration: string): string {
  const seconds = Math.round(Number(duration))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const size = { w: 320, h: 240, m: 'c' } as const

function Picture({ item: { digest, kind, extension, state, failure } }: { item: Item }) {
  if (kind === 'image') return <Thumbnail src={q().media.url('/image/{digest}', { digest, ...size })} />
  if (kind === 'video') return <Frame digest={digest} first={{ state, failure }} />
  return <Sign>{kind === 'audio' ? '♪' : extension || 'file'}</Sign>
}

/** A frame of a video, once it has been processed: how far it is stays up to date until then. */
function Frame({ digest, first }: { digest: string; first: Pick<Video, 'state' | 'failure'> }) {
  const [isOver, setOver] = useState(first.state !== 'processing')
  const video = useData(
    async (signal) => {
      if (first.state !== 'processing') return { ...first, progress: 1 }
      const told = await q().media.get('/video/{digest}/info', { digest }, { signal })
      if (told.state !== 'processing') setOver(true)
      return told
    },
    [digest],
    isOver ? {} : { every: 1_000 },
  )
  const { state, failure, progress } = video.data ?? { ...first, progress: 0 }
  if (state === 'ready') return <Thumbnail src={q().media.url('/video/{digest}/preview', { digest, ...size })} />
  return (
    <Sign>
      <State of={state} />
      {state === 'processing' && <Progress of={progress} label="Processed of the video" />}
      {failure && <span class="wrong">{reasonOf(failure)}</span>}
    </Sign>
  )
}

/** Why a video has failed, as a sentence. */
export const reasonOf = (failure: NonNullable<Video['failure']>): string =>
  ({
    unreadable: 'It cannot be read.',
    too_long: 'It is too long.',
    too_large: 'It is too large.',
    out_of_memory: 'It needs more memory than there is.',
    killed: 'Its processing was ended.',
  })[failure]

/** What stands where there is nothing to look at. */
const Sign = ({ children }: { children: preact.ComponentChildren }) => <span class="picture sign">{children}</span>

function Thumbnail({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Sign>no picture</Sign>
  return <img class="picture" src={src} alt="" loading="lazy" onError={() => setBroken(true)} />
}
