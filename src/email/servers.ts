// Reads the SMTP servers of the email component from the environment variables, and validates them.
import { notConfigured } from '#core/failure'
import type { Env } from './bindings.ts'
import { defaultPorts, type SmtpServer } from './smtp/server.ts'

const maxServers = 10
const maxWeight = 1_000
const defaultConnections = 6
const maxConnections = 60

/** Name of the server that the variables `SMTP_HOST` and so on configure. */
const defaultName = 'default'

/** Reads the SMTP servers: those of `SMTP_SERVERS`, or else the one of `SMTP_HOST`. Throws 503 if they are missing or invalid. */
export function serversOf(env: Env): [SmtpServer, ...SmtpServer[]] {
  if (!env.SMTP_SERVERS) return [singleServer(env)]
  const [first, ...others] = listOf(env.SMTP_SERVERS).map(serverAt)
  if (!first || others.length >= maxServers) throw notConfigured(`SMTP_SERVERS must have 1 to ${maxServers} servers.`)
  const servers: [SmtpServer, ...SmtpServer[]] = [first, ...others]
  if (new Set(servers.map(({ name }) => name)).size < servers.length)
    throw notConfigured('The servers of SMTP_SERVERS must have different names.')
  return servers
}

/**
 * The servers in the order in which a mail tries them: at random, in proportion to their weights. Servers with weight 0 come
 * last: they are used only if the others fail.
 */
export function inOrder(servers: SmtpServer[], random: () => number = Math.random): SmtpServer[] {
  // The order of exponential variates, whose rates are the weights, is a weighted random order without replacement.
  const keyOf = ({ weight }: SmtpServer) => (weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(1 - random()) / weight)
  return servers
    .map((server) => ({ server, key: keyOf(server) }))
    .toSorted((one, other) => (one.key === other.key ? 0 : one.key - other.key))
    .map(({ server }) => server)
}

function listOf(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json)
    if (Array.isArray(list)) return list
  } catch {
    // Not shown: the text of the error would contain a part of the variable, which has passwords.
  }
  throw notConfigured('SMTP_SERVERS must be a JSON array of servers.')
}

const singleServer = (env: Env) =>
  readServer(
    {
      ...{ name: defaultName, host: env.SMTP_HOST, port: env.SMTP_PORT, encryption: env.SMTP_ENCRYPTION },
      ...{ username: env.SMTP_USERNAME, password: env.SMTP_PASSWORD, connections: env.SMTP_CONNECTIONS },
      ...{ oauth_token_url: env.SMTP_OAUTH_TOKEN_URL, oauth_client_id: env.SMTP_OAUTH_CLIENT_ID },
      ...{ oauth_client_secret: env.SMTP_OAUTH_CLIENT_SECRET, oauth_refresh_token: env.SMTP_OAUTH_REFRESH_TOKEN },
      oauth_scope: env.SMTP_OAUTH_SCOPE,
    },
    (field) => `SMTP_${field.toUpperCase()}`,
  )

const oauthFields = ['oauth_token_url', 'oauth_client_id', 'oauth_client_secret', 'oauth_refresh_token', 'oauth_scope']
const fields = [
  ...['name', 'host', 'port', 'encryption', 'username', 'password', 'weight', 'connections'],
  ...oauthFields,
]

function serverAt(value: unknown, position: number): SmtpServer {
  if (typeof value !== 'object' || value === null)
    throw notConfigured(`SMTP_SERVERS[${position}] must be an object with a host.`)
  const unknown = Object.keys(value).find((field) => !fields.includes(field))
  if (unknown !== undefined)
    throw notConfigured(`SMTP_SERVERS[${position}] has an unknown field. The fields are ${fields.join(', ')}.`)
  return readServer({ name: `server-${position + 1}`, ...value }, (field) => `SMTP_SERVERS[${position}].${field}`)
}

/** Unchecked values of a server, from a variable or from JSON. */
type RawServer = Partial<Record<string, unknown>>

/** Validates a server. `label` is the name of a field in error messages. */
function readServer(raw: RawServer, label: (field: string) => string): SmtpServer {
  const textOf = (field: string): string => {
    const text = raw[field] ?? ''
    if (typeof text === 'string') return text
    throw notConfigured(`${label(field)} must be a string.`)
  }
  const numberOf = (field: string, min: number, max: number, fallback: number): number => {
    const value = raw[field] ?? ''
    const number = value === '' ? fallback : Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    throw notConfigured(`${label(field)} must be a number between ${min} and ${max}.`)
  }
  const [name, host, encryption] = [textOf('name'), textOf('host'), textOf('encryption')]
  if (!/^[\w.-]{1,50}$/.test(name)) throw notConfigured(`${label('name')} must be 1 to 50 letters, digits and . _ -.`)
  if (!host) throw notConfigured(`Set ${label('host')} to the SMTP server that sends the mail.`)
  if (!/^[\w.:[\]-]+$/.test(host)) throw notConfigured(`${label('host')} must be a host name or an IP address.`)
  if (!isEncryption(encryption)) throw notConfigured(`${label('encryption')} must be ssl, tls or empty.`)
  return {
    ...{
      name,
      host: host.replace(/^\[|\]$/g, ''),
      port: numberOf('port', 1, 65_535, defaultPorts[encryption]),
      encryption,
    },
    ...loginOf(textOf, label),
    weight: numberOf('weight', 0, maxWeight, 1),
    connections: numberOf('connections', 0, maxConnections, defaultConnections),
  }
}

const isEncryption = (text: string): text is SmtpServer['encryption'] => Object.hasOwn(defaultPorts, text)

/** The password, or the OAuth client if `oauth_token_url` is set. */
function loginOf(textOf: (field: string) => string, label: (field: string) => string) {
  const [user, pass, tokenUrl, clientId] = [
    textOf('username'),
    textOf('password'),
    textOf('oauth_token_url'),
    textOf('oauth_client_id'),
  ]
  if (!tokenUrl) return { credentials: credentialsOf(user, pass, label) }
  if (!URL.canParse(tokenUrl)) throw notConfigured(`${label('oauth_token_url')} must be a URL.`)
  if (!user || !clientId)
    throw notConfigured(
      `Set ${label('username')} and ${label('oauth_client_id')}, since ${label('oauth_token_url')} is set.`,
    )
  // The control character separates the parts of an XOAUTH2 login.
  if (/\p{Cc}/u.test(user)) throw notConfigured(`${label('username')} must not contain control characters.`)
  const [clientSecret, refreshToken] = [textOf('oauth_client_secret'), textOf('oauth_refresh_token')]
  if (!clientSecret && !refreshToken)
    throw notConfigured(`Set ${label('oauth_client_secret')} or ${label('oauth_refresh_token')}.`)
  const oauth = { user, tokenUrl, clientId, clientSecret, refreshToken, scope: textOf('oauth_scope') }
  return { credentials: undefined, oauth }
}

function credentialsOf(user: string, pass: string, label: (field: string) => string) {
  const [username, password] = [label('username'), label('password')]
  if (!user && !pass) return undefined
  if (!user) throw notConfigured(`Set ${username}, since ${password} is set.`)
  if (!pass) throw notConfigured(`Set ${password}, since ${username} is set.`)
  if (/\0/.test(user + pass)) throw notConfigured(`${username} and ${password} must not contain NUL.`)
  return { user, pass }
}
