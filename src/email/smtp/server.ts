// The address and the login of an SMTP server.

/** An SMTP server that the environment variables configure. */
export interface SmtpServer {
  /** Name of the server for operators. */
  name: string
  host: string
  port: number
  /**
   * How the connection is encrypted. `ssl`: TLS from the first byte (RFC 8314). `tls`: STARTTLS (RFC 3207), without which no
   * mail is sent. Empty: not encrypted.
   */
  encryption: keyof typeof defaultPorts
  credentials: SmtpCredentials | undefined
  /** The client that gets access tokens for XOAUTH2, instead of a password. */
  oauth?: OAuthClient
  /** Share of the mails in proportion to the other servers. 0: used only if all others fail. */
  weight: number
  /** Maximum number of connections that are kept open for further mails. 0: each mail gets its own connection. */
  connections: number
}

/** A password, or an access token for XOAUTH2. */
export type SmtpCredentials = { user: string; pass: string } | { user: string; token: string }

/** An OAuth 2.0 client (RFC 6749) that gets access tokens for the mailbox `user`. */
export interface OAuthClient {
  user: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** Empty: the client's own credentials give the token. */
  refreshToken: string
  scope: string
}

/** Port of the server by its encryption, if no port is configured. */
export const defaultPorts = { ssl: 465, tls: 587, '': 25 }
