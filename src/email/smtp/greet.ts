// Health check of an SMTP server.
import type { SmtpServer } from './server.ts'
import { SmtpSession } from './session.ts'
import { defaultTimeouts } from './timeouts.ts'

/**
 * Check for `/_health`: connects, over TLS if configured, and resolves when the server has replied to EHLO. Does not log in.
 */
export async function greet(server: SmtpServer, name: string): Promise<void> {
  const session = new SmtpSession(server, defaultTimeouts)
  try {
    await session.open(name)
  } finally {
    session.leave()
  }
}
