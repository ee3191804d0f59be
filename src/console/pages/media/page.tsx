import { useEffect } from 'preact/hooks'
import { More } from '../../parts/more.tsx'
import { Page, Section, Shown } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import './page.css'
import { MediaItem } from './item.tsx'
import { useItems } from './items.ts'
import { Upload } from './sending.tsx'
import { Tile } from './tile.tsx'
import { isKind, type UploadKind, useSendings } from './uploads.ts'

const tabs: Record<string, UploadKind | undefined> = {
  All: undefined,
  Images: 'image',
  Videos: 'video',
  Audio: 'audio',
  Files: 'file',
}

/** What is stored, where more is uploaded; and one item of it. */
export default function Media({ path: [kind, digest], query }: PageOf) {
  if (isKind(kind) && digest) return <MediaItem key={digest} kind={kind} digest={digest} />
  const chosen = query.get('kind')
  return (
    <Page title="Media" about="Images, videos, audio and other files. Whoever has the address of one may download it.">
      <Upload />
      <Items kind={isKind(chosen) ? chosen : undefined} />
    </Page>
  )
}

function Items({ kind }: { kind: UploadKind | undefined }) {
  const { loaded, more } = useItems(kind)
  const arrived = useSendings()
    .flatMap(({ state, id }) => (state === 'done' ? [id] : []))
    .join()
  useEffect(() => {
    if (arrived) loaded.reload()
  }, [arrived])
  return (
    <Section title="Items">
      <Tabs
        label="Kinds"
        tabs={Object.fromEntries(Object.entries(tabs).map(([title, of]) => [title, hrefOf(['media'], { kind: of })]))}
        current={Object.keys(tabs).find((title) => tabs[title] === kind) ?? ''}
      />
      <Shown of={loaded}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 && <p class="quiet">Nothing is stored yet. Drop a file above to begin.</p>}
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
      </Shown>
    </Section>
  )
}
