import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import './page.css'
import { Documents } from './documents.tsx'
import { Index, Indexes, NewIndex } from './indexes.tsx'
import { LiveSearch } from './live-search.tsx'
import { isVariant, type SearchVariant } from './variant.ts'

/** The search page of the console: the indexes of fulltext or typeahead, or one index with its search, documents and settings. */
export default function Search({ path: [component, index, part = 'search'], query }: PageOf) {
  const variant = isVariant(component) ? component : 'fulltext'
  if (index)
    return <IndexPage key={`${variant}/${index}`} {...{ variant, index, part }} text={query.get('text') ?? ''} />
  return (
    <Page
      title="Search"
      about="Full text finds whole documents by their words; typeahead finds short texts while you type."
    >
      <Tabs
        label="Kinds of search"
        tabs={{ 'Full text': hrefOf(['search', 'fulltext']), Typeahead: hrefOf(['search', 'typeahead']) }}
        current={variant === 'fulltext' ? 'Full text' : 'Typeahead'}
      />
      <Indexes key={variant} variant={variant} />
      <NewIndex key={`new ${variant}`} variant={variant} />
    </Page>
  )
}

const parts: Record<string, string> = { search: 'Search', documents: 'Documents', settings: 'Settings' }

interface IndexPageProps {
  variant: SearchVariant
  index: string
  part: string
  text: string
}

function IndexPage({ variant, index, part, text }: IndexPageProps) {
  return (
    <Page title={`Search: ${index}`} actions={<a href={hrefOf(['search', variant])}>All indexes</a>}>
      <Tabs
        label={`Index ${index}`}
        tabs={Object.fromEntries(
          Object.entries(parts).map(([part, title]) => [title, hrefOf(['search', variant, index, part])]),
        )}
        current={parts[part] ?? ''}
      />
      {part === 'search' && <LiveSearch {...{ variant, index, text }} />}
      {part === 'documents' && <Documents {...{ variant, index }} />}
      {part === 'settings' && <Index {...{ variant, index }} />}
    </Page>
  )
}
