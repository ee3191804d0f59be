import { LoadedContent, Page } from '../../parts/page.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { TemplateEditor } from './editor.tsx'
import { Templates } from './list.tsx'

/** Templates of notifications: the list, a new one, or the editor of one. */
export default function Notification({ path: [code], query }: PageOf) {
  if (code === undefined) return <Templates query={query} />
  if (code === 'new' && query.has('template')) return <NewTemplate />
  return <OneTemplate key={code} code={code} />
}

const About = () => (
  <p>
    <a href={hrefOf(['notification'])}>All templates</a>
  </p>
)

function NewTemplate() {
  return (
    <Page title="New template" about="Calls send a template by its code, in the language of the recipient.">
      <About />
      <TemplateEditor saved={undefined} onSaved={() => undefined} />
    </Page>
  )
}

function OneTemplate({ code }: { code: string }) {
  const loaded = useData(
    async (signal) => (await q().notification.get('/notification', { code }, { signal })).notification,
    [code],
  )
  return (
    <Page title={loaded.data ? `Template: ${loaded.data.name}` : 'Template'}>
      <About />
      <LoadedContent of={loaded}>
        {(template) => <TemplateEditor key={template.id} saved={template} onSaved={loaded.reload} />}
      </LoadedContent>
    </Page>
  )
}
