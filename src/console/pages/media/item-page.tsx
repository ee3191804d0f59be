// Layout of the page of a media item of any kind: its actions and details around the content of its kind.
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

/** Properties of a page about one item. */
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

interface ItemPageProps extends ItemOf {
  item: Described | undefined
  facts?: Record<string, ComponentChildren> | undefined
  children: ComponentChildren
}

/** Renders the page of an item. `children` is the content of its kind, such as a player. */
export function ItemPage({ kind, digest, item, facts, children }: ItemPageProps) {
  const remove = useAction(() => q().media.delete(`/${kind}/{digest}`, { digest }), {
    done: 'Item deleted.',
    after: () => go(['media']),
  })
  const fileUrl = q().media.url(kind === 'image' ? '/file/{digest}' : `/${kind}/{digest}`, { digest })
  return (
    <Page
      title={item ? titleOf({ ...item, kind }) : `Media: ${kind}`}
      actions={
        <>
          <a href={hrefOf(['media'], { kind })}>All items of this kind</a>
          {item && (
            <>
              <a class="button" href={fileUrl} download={titleOf({ ...item, kind })}>
                Download
              </a>
              <CopyButton text={fileUrl} label="URL" isAlone />
            </>
          )}
          <ConfirmButton
            question="The item is deleted permanently, with its thumbnails or its mp4. Links to it stop working."
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
        <Section title="Details">
          <Facts
            of={{
              Kind: kind,
              Type: item.mimetype,
              Size: sizeOf(item.size),
              ...facts,
              Digest: digest,
              URL: fileUrl,
            }}
          />
        </Section>
      )}
    </Page>
  )
}
