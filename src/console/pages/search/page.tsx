import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import './page.css'
import { Documents } from './documents.tsx'
import { Index, Indexes, NewIndex } from './indexes.tsx'
import { Typing } from './typing.tsx'
import { isVariant, type SearchVariant } from './variant.ts'

/** The indexes of full text search or of typeahead; and one of them, searched letter by letter. */
export default function Search({ path: [named, index, part = 'search'], query }: PageOf) {
  const variant = isVariant(named) ? named : 'fulltext'
  if (index) return <One key={`${variant}/${index}`} {...{ variant, index, part }} text={query.get('text') ?? ''} />
  return (
    <Page
      title="Search"
      about="Full text finds whole documents by their words; typeahead finds short texts from the first letter on."
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

interface OneProps {
  variant: SearchVariant
  index: string
  part: string
  text: string
}

function One({ variant, index, part, text }: OneProps) {
  return (
    <Page title={`Search: ${index}`} actions={<a href={hrefOf(['search', variant])}>All indexes</a>}>
      <Tabs
        label={`Of the index ${index}`}
        tabs={Object.fromEntries(
          Object.entries(parts).map(([part, title]) => [title, hrefOf(['search', variant, index, part])]),
        )}
        current={parts[part] ?? ''}
      />
      {part === 'search' && <Typing {...{ variant, index, text }} />}
      {part === 'documents' && <Documents {...{ variant, index }} />}
      {part === 'settings' && <Index {...{ variant, index }} />}
    </Page>
  )
}
