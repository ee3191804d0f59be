import { Shown } from '../../parts/page.tsx'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { Frame, type ItemOf } from './frame.tsx'
import { Picture } from './image.tsx'
import { lengthOf } from './tile.tsx'
import { Video } from './video.tsx'

/** One item: what it is, what it looks or sounds like, and what can be done with it. */
export function MediaItem({ kind, digest }: ItemOf) {
  return { image: Image, video: Video, audio: Audio, file: File }[kind]({ kind, digest })
}

function Image({ kind, digest }: ItemOf) {
  const image = useData((signal) => q().media.get('/image/{digest}/info', { digest }, { signal }), [digest])
  const { data } = image
  return (
    <Frame {...{ kind, digest }} item={data} facts={data && { Pixels: `${data.width} × ${data.height}` }}>
      <Shown of={image}>{(item) => <Picture image={item} />}</Shown>
    </Frame>
  )
}

function Audio({ kind, digest }: ItemOf) {
  const audio = useData((signal) => q().media.get('/audio/{digest}/info', { digest }, { signal }), [digest])
  const { data } = audio
  return (
    <Frame {...{ kind, digest }} item={data} facts={{ Length: data?.duration && lengthOf(data.duration) }}>
      <Shown of={audio}>
        {() => (
          // biome-ignore lint/a11y/useMediaCaption: there are no captions of what was uploaded
          <audio class="stage" controls preload="metadata" src={q().media.url('/audio/{digest}', { digest })} />
        )}
      </Shown>
    </Frame>
  )
}

function File({ kind, digest }: ItemOf) {
  const file = useData((signal) => q().media.get('/file/{digest}/info', { digest }, { signal }), [digest])
  return (
    <Frame {...{ kind, digest }} item={file.data}>
      <Shown of={file}>{() => null}</Shown>
    </Frame>
  )
}
