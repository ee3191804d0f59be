import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import { Blacklist } from './blacklist.tsx'
import { BotMessages } from './bot.tsx'
import { Mails } from './mail.tsx'
import { Mail } from './mail-one.tsx'
import { SendMail, SendSms } from './send.tsx'
import { SmsMessages } from './sms.tsx'

const parts = { sms: 'SMS', mail: 'Mail', bot: 'Bot', blacklist: 'Blacklist', send: 'Send' }
type Part = keyof typeof parts
const isPart = (name: string): name is Part => name in parts

/**
 * Page of messages: sent SMS, the mails and bot messages that a local start caught, the blacklist, and forms to send SMS and
 * mail.
 */
export default function Messages({ path: [part = 'sms', id], query }: PageOf) {
  const chosen = isPart(part) ? part : 'sms'
  return (
    <Page title="Messages" about="Messages that were sent, one by one.">
      <Tabs
        label="Of the messages"
        tabs={Object.fromEntries(Object.entries(parts).map(([name, title]) => [title, hrefOf(['messages', name])]))}
        current={parts[chosen]}
      />
      {chosen === 'sms' && <SmsMessages query={query} />}
      {chosen === 'mail' && (id === undefined ? <Mails query={query} /> : <Mail key={id} id={id} />)}
      {chosen === 'bot' && <BotMessages query={query} />}
      {chosen === 'blacklist' && <Blacklist />}
      {chosen === 'send' && (
        <div class="split">
          <SendSms />
          <SendMail />
        </div>
      )}
    </Page>
  )
}
