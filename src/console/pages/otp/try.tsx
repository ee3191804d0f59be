// Two forms to try one-time passwords: one sends a password, the other checks it.
import { useState } from 'preact/hooks'
import { Form, type FormValues } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { hrefOf } from '../../route.ts'
import { useAction } from '../../use.ts'
import { type ChannelName, channelOptions, channels, isChannel } from './channels.ts'

const channelIn = ({ channel }: FormValues): ChannelName => (isChannel(channel) ? channel : 'sms')

/** Sends a random password that is generated in the browser and shown only in the message. */
export function SendPassword() {
  const [sent, setSent] = useState<ChannelName>()
  const send = useAction(
    async (values: FormValues) => {
      setSent(undefined)
      const { target, lifetime, ip } = values
      const channel = channelIn(values)
      await channels[channel].send(String(target), {
        ...{ password: draw(), lifetime: Number(lifetime) },
        ...(ip !== undefined && { ip: String(ip) }),
      })
      return channel
    },
    { done: 'The password is on its way.', after: setSent },
  )
  return (
    <Section title="Send a password">
      <p class="quiet">Six digits are drawn at random. They stand in the message alone.</p>
      <Form
        fields={[
          { name: 'channel', label: 'By', kind: 'choice', options: channelOptions },
          { name: 'target', label: 'To', isRequired: true, help: 'A phone, an email address or the id of a chat' },
          { name: 'lifetime', label: 'Valid for', kind: 'number', value: 300, isRequired: true, help: 'Seconds' },
          { name: 'ip', label: 'IP address of the user', help: 'Needed if there are limits for IP addresses' },
        ]}
        submit="Send the password"
        keeps
        onSubmit={send.run}
        isBusy={send.isBusy}
        error={send.error}
      />
      {sent && (
        <p role="status">
          On a local start the message is under{' '}
          <a href={hrefOf(['messages', placeOf[sent].path])}>Messages, {placeOf[sent].title}</a>.
        </p>
      )}
    </Section>
  )
}

const placeOf: Record<ChannelName, { path: string; title: string }> = {
  sms: { path: 'sms', title: 'SMS' },
  call: { path: 'sms', title: 'SMS' },
  email: { path: 'mail', title: 'Mail' },
  chatapp: { path: 'bot', title: 'Bot' },
}

/** Checks a password. A correct password is used up. */
export function CheckPassword() {
  const [result, setResult] = useState<string>()
  const check = useAction(
    async (values: FormValues) => {
      setResult(undefined)
      return channels[channelIn(values)].check(String(values.target), String(values.password))
    },
    { after: ({ status, status_code }) => setResult(status ? 'valid' : (status_code ?? 'wrong_password')) },
  )
  return (
    <Section title="Check a password">
      <p class="quiet">A right one is used up by that; after several wrong ones none is looked at for a while.</p>
      <Form
        fields={[
          { name: 'channel', label: 'Sent by', kind: 'choice', options: channelOptions },
          { name: 'target', label: 'Sent to', isRequired: true },
          { name: 'password', label: 'Entered password', isRequired: true },
        ]}
        submit="Check the password"
        keeps
        onSubmit={check.run}
        isBusy={check.isBusy}
        error={check.error}
      />
      {result && (
        <p role="status" class={result === 'valid' ? undefined : 'wrong'}>
          {results[result] ?? result}
        </p>
      )}
    </Section>
  )
}

const results: Record<string, string> = {
  valid: 'It was right, and is used up now.',
  wrong_password: 'It is wrong, or is not valid any more.',
  attempts_exceeded: 'It was not looked at: there were too many wrong ones.',
}

/** Six uniformly distributed random digits. */
function draw(): string {
  const maxNumber = 4_294_000_000
  const [number = maxNumber] = crypto.getRandomValues(new Uint32Array(1))
  return number < maxNumber ? String(number % 1_000_000).padStart(6, '0') : draw()
}
