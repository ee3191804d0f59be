import type { ComponentChildren } from 'preact'
import { sizeOf } from '../parts/bits.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { ConfirmButton } from '../parts/dialog.tsx'
import { Page, Section, Shown } from '../parts/page.tsx'
import { Facts } from '../parts/table.tsx'
import { go, hrefOf } from '../route.ts'
import { q } from '../session.ts'
import { useAction, useData } from '../use.ts'
import { Picture } from './media-image.tsx'
import { lengthOf, titleOf } from './media-tile.tsx'
import type { Kind } from './media-uploads.ts'
import { Video } from './media-video.tsx'

interface ItemOf {
  kind: Kind
  digest: string
}

/** One item: what it is, what it looks or sounds like, and what can be done with it. */
export function MediaItem({ kind, digest }: ItemOf) {
  return { image: Image, video: Video, audio: Audio, file: File }[kind]({ kind, digest })
}

interface Described {
  name: string
  extension: string
  mimetype: string
  size: number
}

interface FrameProps extends ItemOf {
  item: Described | undefined
  facts?: Record<string, ComponentChildren> | undefined
  children: ComponentChildren
}

/** What the pages of all kinds have in common. */
export function Frame({ kind, digest, item, facts, children }: FrameProps) {
  const remove = useAction(() => q().media.delete(`/${kind}/{digest}`, { digest }), {
    done: 'The item is gone.',
    after: () => go(['media']),
  })
  const address = q().media.url(kind === 'image' ? '/file/{digest}' : `/${kind}/{digest}`, { digest })
  return (
    <Page
      title={item ? titleOf({ ...item, kind }) : `Media: ${kind}`}
      actions={
        <>
          <a href={hrefOf(['media'], { kind })}>All of its kind</a>
          {item && (
            <>
              <a class="button" href={address} download={titleOf({ ...item, kind })}>
                Download
              </a>
              <CopyButton text={address} label="address" isAlone />
            </>
          )}
          <ConfirmButton
            question="It is gone for good, with all that was made of it. Links to it do not work any more."
            isBusy={remove.isBusy}
            onConfirm={() => remove.run()}
          >
            Delete
          </ConfirmButton>
        </>
      }
    >
      {children}
      {item && (
        <Section title="Facts">
          <Facts
            of={{
              Kind: kind,
              Type: item.mimetype,
              Size: sizeOf(item.size),
              ...facts,
              Digest: digest,
              Address: address,
            }}
          />
        </Section>
      )}
    </Page>
  )
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
