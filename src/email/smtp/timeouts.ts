// Timeouts of an SMTP session.

/** Timeouts of a session, in milliseconds. Each applies to one step. */
export interface SmtpTimeouts {
  connect: number
  greeting: number
  /** Timeout for the reply to a command. */
  command: number
  /** Timeout for the server to accept a chunk of the message, and for its reply to the end of the message. */
  content: number
  /** Timeout of all steps for one message, including the connection that is opened for it. */
  all: number
}

export const defaultTimeouts: SmtpTimeouts = {
  connect: 10_000,
  greeting: 10_000,
  command: 15_000,
  content: 60_000,
  all: 110_000,
}
