// The channels of one-time passwords with their API calls: to read and set limits, and to send and check passwords.
import { q } from '../../session.ts'

/** At most `rate` sends within `minutes`. */
export interface LimitRule {
  minutes: number
  rate: number
}

/** The rules of a channel: for IP addresses, and for its targets. */
export interface Rules {
  ips: LimitRule[]
  targets: LimitRule[]
}

interface Message {
  ip?: string
  password: string
  lifetime: number
}

interface ChannelOfPasswords {
  title: string
  /** Label of the channel's target. */
  target: string
  read: (signal: AbortSignal) => Promise<Rules>
  /** Replaces the given lists of rules. A list that is left out stays unchanged. */
  write: (rules: Partial<Rules>) => Promise<unknown>
  send: (target: string, message: Message) => Promise<unknown>
  check: (target: string, password: string) => Promise<{ status: boolean; status_code?: string | undefined }>
}

const words = (password: string) => `Your code: ${password}`

/** The channels with their API calls, which differ only in the name of the target. */
export const channels: Record<'sms' | 'call' | 'email' | 'chatapp', ChannelOfPasswords> = {
  sms: {
    title: 'SMS',
    target: 'Phone',
    read: async (signal) => {
      const { ips, phones: targets } = await q().otp.get('/limit/sms', {}, { signal })
      return { ips, targets }
    },
    write: ({ ips, targets: phones }) => q().otp.post('/limit/sms', { ips, phones }),
    send: (phone, given) => q().otp.post('/sms', { phone, ...given, message: words(given.password) }),
    check: (phone, password) => q().otp.post('/sms/check', { phone, password }),
  },
  call: {
    title: 'Call',
    target: 'Phone',
    read: async (signal) => {
      const { ips, phones: targets } = await q().otp.get('/limit/call', {}, { signal })
      return { ips, targets }
    },
    write: ({ ips, targets: phones }) => q().otp.post('/limit/call', { ips, phones }),
    send: (phone, given) => q().otp.post('/call', { phone, ...given }),
    check: (phone, password) => q().otp.post('/call/check', { phone, password }),
  },
  email: {
    title: 'Email',
    target: 'Email address',
    read: async (signal) => {
      const { ips, emails: targets } = await q().otp.get('/limit/email', {}, { signal })
      return { ips, targets }
    },
    write: ({ ips, targets: emails }) => q().otp.post('/limit/email', { ips, emails }),
    send: (email, given) =>
      q().otp.post('/email', { email, ...given, subject: 'Your code', text: words(given.password) }),
    check: (email, password) => q().otp.post('/email/check', { email, password }),
  },
  chatapp: {
    title: 'Bot',
    target: 'Chat',
    read: async (signal) => {
      const { ips, chats: targets } = await q().otp.get('/limit/chatapp', {}, { signal })
      return { ips, targets }
    },
    write: ({ ips, targets: chats }) => q().otp.post('/limit/chatapp', { ips, chats }),
    send: (chat_id, given) => q().otp.post('/chatapp', { chat_id, ...given, message: words(given.password) }),
    check: (chat_id, password) => q().otp.post('/chatapp/check', { chat_id, password }),
  },
}

export type ChannelName = keyof typeof channels

export const isChannel = (name: unknown): name is ChannelName => typeof name === 'string' && name in channels

/** The channels as options of a select. */
export const channelOptions = Object.entries(channels).map(([value, { title }]) => ({ value, label: title }))
