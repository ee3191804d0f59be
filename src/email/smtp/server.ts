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
  credentials: { user: string; pass: string } | undefined
  /** Share of the mails in proportion to the other servers. 0: used only if all others fail. */
  weight: number
  /** Maximum number of connections that are kept open for further mails. 0: each mail gets its own connection. */
  connections: number
}

/** Port of the server by its encryption, if no port is configured. */
export const defaultPorts = { ssl: 465, tls: 587, '': 25 }
