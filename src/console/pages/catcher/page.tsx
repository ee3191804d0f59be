import { addressOf } from '../../address.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { go, hrefOf, type PageOf } from '../../route.ts'
import { Requests } from './requests.tsx'
import { Stubs } from './stubs.tsx'

/** Console page of the catcher: the caught requests of a space as they arrive, and the stubs that answer them. */
export default function Catcher({ path: [part = 'requests'], query }: PageOf) {
  const [space, method, path] = ['space', 'method', 'path'].map((name) => query.get(name) ?? '') as [
    ...[string, string, string],
  ]
  const isStubs = part === 'stubs'
  const [name, here] = isStubs ? ['Stubs', ['catcher', 'stubs']] : ['Requests', ['catcher']]
  return (
    <Page title="Catcher" about="Stores any request and shows it, so that you can see what a program sends.">
      <Address space={space} />
      <Form
        key={`${space} ${method} ${path}`}
        isInline
        keeps
        fields={[
          { name: 'space', label: 'Space', value: space, help: 'Default: default' },
          ...(isStubs
            ? []
            : [
                { name: 'method', label: 'Method', value: method, help: 'Default: all' },
                { name: 'path', label: 'Path', value: path, help: '/hooks/* matches all paths below it' },
              ]),
        ]}
        submit="Apply"
        onSubmit={async (values) => {
          go(here, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])))
          return true
        }}
      />
      <Tabs
        label="Catcher"
        tabs={{ Requests: hrefOf(['catcher'], { space }), Stubs: hrefOf(['catcher', 'stubs'], { space }) }}
        current={name}
      />
      {isStubs ? (
        <Stubs key={space} space={space} from={query.get('from') ?? ''} />
      ) : (
        <Requests key={`${space} ${method} ${path}`} space={space} method={method} path={path} />
      )}
    </Page>
  )
}

function Address({ space }: { space: string }) {
  const url = `${addressOf('catcher')}/`
  const header = `X-Catcher-Space: ${space}`
  return (
    <Section title="Address">
      <p class="actions">
        <code>{url}</code>
        <CopyButton text={url} label="the address" />
        {space && (
          <>
            with the header <code>{header}</code>
            <CopyButton text={header} label="the header" />
          </>
        )}
      </p>
      <p class="quiet">Send requests with any method to any path below this address.</p>
    </Section>
  )
}
