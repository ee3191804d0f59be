// The page of one media item: loads the item and shows the content of its kind.
import { LoadedContent } from '../../parts/page.tsx'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { ImageDetails } from './image.tsx'
import { type ItemOf, ItemPage } from './item-page.tsx'
import { lengthOf } from './tile.tsx'
import { Video } from './video.tsx'

/** Shows the page of one media item, by its kind. */
export function MediaItem({ kind, digest }: ItemOf) {
  return { image: Image, video: Video, audio: Audio, file: File }[kind]({ kind, digest })
}

function Image({ kind, digest }: ItemOf) {
  const image = useData((signal) => q().media.get('/image/{digest}/info', { digest }, { signal }), [digest])
  const { data } = image
  return (
    <ItemPage {...{ kind, digest }} item={data} facts={data && { Pixels: `${data.width} × ${data.height}` }}>
      <LoadedContent of={image}>{(item) => <ImageDetails image={item} />}</LoadedContent>
    </ItemPage>
  )
}

function Audio({ kind, digest }: ItemOf) {
  const audio = useData((signal) => q().media.get('/audio/{digest}/info', { digest }, { signal }), [digest])
  const { data } = audio
  return (
    <ItemPage {...{ kind, digest }} item={data} facts={{ Length: data?.duration && lengthOf(data.duration) }}>
      <LoadedContent of={audio}>
        {() => (
          // biome-ignore lint/a11y/useMediaCaption: the API stores no captions
          <audio class="stage" controls preload="metadata" src={q().media.url('/audio/{digest}', { digest })} />
        )}
      </LoadedContent>
    </ItemPage>
  )
}

function File({ kind, digest }: ItemOf) {
  const file = useData((signal) => q().media.get('/file/{digest}/info', { digest }, { signal }), [digest])
  return (
    <ItemPage {...{ kind, digest }} item={file.data}>
      <LoadedContent of={file}>{() => null}</LoadedContent>
    </ItemPage>
  )
}
