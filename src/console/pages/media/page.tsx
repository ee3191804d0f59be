import { useEffect } from 'preact/hooks'
import { More } from '../../parts/more.tsx'
import { LoadedContent, Page, Section } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import './page.css'
import { MediaItem } from './item.tsx'
import { useItems } from './items.ts'
import { Tile } from './tile.tsx'
import { Upload } from './upload-form.tsx'
import { isKind, type UploadKind, useUploads } from './uploads.ts'

const tabs: Record<string, UploadKind | undefined> = {
  All: undefined,
  Images: 'image',
  Videos: 'video',
  Audio: 'audio',
  Files: 'file',
}

/** The media page of the console: all items with the upload form, or a single item if the path names one. */
export default function Media({ path: [kind, digest], query }: PageOf) {
  if (isKind(kind) && digest) return <MediaItem key={digest} kind={kind} digest={digest} />
  const chosen = query.get('kind')
  return (
    <Page title="Media" about="Images, videos, audio and other files. Anyone with the URL of an item can download it.">
      <Upload />
      <Items kind={isKind(chosen) ? chosen : undefined} />
    </Page>
  )
}

function Items({ kind }: { kind: UploadKind | undefined }) {
  const { loaded, more } = useItems(kind)
  const completed = useUploads()
    .flatMap(({ state, id }) => (state === 'done' ? [id] : []))
    .join()
  useEffect(() => {
    if (completed) loaded.reload()
  }, [completed])
  return (
    <Section title="Items">
      <Tabs
        label="Kinds"
        tabs={Object.fromEntries(Object.entries(tabs).map(([title, of]) => [title, hrefOf(['media'], { kind: of })]))}
        current={Object.keys(tabs).find((title) => tabs[title] === kind) ?? ''}
      />
      <LoadedContent of={loaded}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 && <p class="quiet">No items yet. Drop a file above to upload it.</p>}
            <ul class="tiles">
              {rows.map((item) => (
                <li key={item.digest}>
                  <Tile item={item} />
                </li>
              ))}
            </ul>
            <More next={next} action={more} />
          </>
        )}
      </LoadedContent>
    </Section>
  )
}
