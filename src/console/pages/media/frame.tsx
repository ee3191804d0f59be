import type { ComponentChildren } from 'preact'
import { sizeOf } from '../../parts/bits.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { titleOf } from './tile.tsx'
import type { UploadKind } from './uploads.ts'

/** Which item a page shows. */
export interface ItemOf {
  kind: UploadKind
  digest: string
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

/** The page of an item of any kind: its actions and facts, around the content of its kind. */
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
              UploadKind: kind,
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
