// The content of a video's page.
import { Progress, State } from '../../parts/bits.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { q } from '../../session.ts'
import { ItemPage } from './item-page.tsx'
import { useVideo } from './items.ts'
import { lengthOf, reasonOf } from './tile.tsx'

/** Shows a video: its player, or the progress of the transcoding. */
export function Video({ digest }: { digest: string }) {
  const video = useVideo(digest)
  const { data } = video
  const facts = data && {
    State: <State of={data.state} />,
    Pixels: data.width && `${data.width} × ${data.height}`,
    Length: data.duration && lengthOf(data.duration),
  }
  return (
    <ItemPage kind="video" digest={digest} item={data} facts={facts}>
      <LoadedContent of={video}>
        {({ state, progress, failure }) => (
          <>
            {state === 'ready' && (
              // biome-ignore lint/a11y/useMediaCaption: the API stores no captions
              <video
                class="stage"
                controls
                preload="metadata"
                poster={q().media.url('/video/{digest}/preview', { digest, w: 1280 })}
                src={q().media.url('/video/{digest}', { digest })}
              />
            )}
            {state === 'processing' && (
              <p role="status">
                The video is being transcoded. <Progress of={progress} label="Progress of the transcoding" />
              </p>
            )}
            {failure && (
              <p class="wrong" role="alert">
                Transcoding failed. {reasonOf(failure)}
              </p>
            )}
          </>
        )}
      </LoadedContent>
    </ItemPage>
  )
}
