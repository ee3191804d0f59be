import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import { Limits } from './limits.tsx'
import { Sends } from './sends.tsx'
import { CheckPassword, SendPassword } from './try.tsx'

const parts = { sends: 'Sent lately', limits: 'Limits', try: 'Try it' }
type Part = keyof typeof parts
const isPart = (name: string): name is Part => name in parts

/** Page of one-time passwords: recent sends, limits, and a form to try sending and checking. */
export default function Otp({ path: [part = 'sends'], query }: PageOf) {
  const chosen = isPart(part) ? part : 'sends'
  return (
    <Page
      title="One-time passwords"
      about="Sends passwords by SMS, call, email and a bot, and says whether what a user has entered is one."
    >
      <Tabs
        label="Of the passwords"
        tabs={Object.fromEntries(Object.entries(parts).map(([name, title]) => [title, hrefOf(['otp', name])]))}
        current={parts[chosen]}
      />
      {chosen === 'sends' && <Sends query={query} />}
      {chosen === 'limits' && <Limits />}
      {chosen === 'try' && (
        <div class="split">
          <SendPassword />
          <CheckPassword />
        </div>
      )}
    </Page>
  )
}
