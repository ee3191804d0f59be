import { Progress, State } from '../../parts/bits.tsx'
import { Shown } from '../../parts/page.tsx'
import { q } from '../../session.ts'
import { Frame } from './frame.tsx'
import { useVideo } from './items.ts'
import { lengthOf, reasonOf } from './tile.tsx'

/** A video with its player; while it is processed, how far it is. */
export function Video({ digest }: { digest: string }) {
  const video = useVideo(digest)
  const { data } = video
  const facts = data && {
    State: <State of={data.state} />,
    Pixels: data.width && `${data.width} × ${data.height}`,
    Length: data.duration && lengthOf(data.duration),
  }
  return (
    <Frame kind="video" digest={digest} item={data} facts={facts}>
      <Shown of={video}>
        {({ state, progress, failure }) => (
          <>
            {state === 'ready' && (
              // biome-ignore lint/a11y/useMediaCaption: there are no captions of what was uploaded
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
                It is being made playable everywhere. <Progress of={progress} label="Processed of the video" />
              </p>
            )}
            {failure && (
              <p class="wrong" role="alert">
                The video has failed. {reasonOf(failure)}
              </p>
            )}
          </>
        )}
      </Shown>
    </Frame>
  )
}
