// Tests with which SMTP servers the email component speaks TLS, and which certificates it rejects.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Variables } from '../../../scripts/stack/variables.ts'
import { authority, type Certificate } from '../../support/certificates.ts'
import { type SmtpBehaviour, startSmtp, type TestSmtp } from '../../support/smtp-server.ts'
import { askJson } from '../http.ts'

const folder = mkdtempSync(join(tmpdir(), 'quartermaster-tls-'))
const login = { user: 'ann', pass: 'päss word' }
const credentials = { SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'päss word' }

let certificates: Record<'its own' | 'of another host' | 'of an unknown authority', Certificate>

beforeAll(async () => {
  const [known, unknown] = await Promise.all([authority(), authority()])
  certificates = {
    'its own': await known.certify('localhost'),
    'of another host': await known.certify('other.example'),
    'of an unknown authority': await unknown.certify('localhost'),
  }
  const file = join(folder, 'authority.pem')
  writeFileSync(file, known.cert)
  // Adds the test's certificate authority. The runtime reads its authorities only once, when it is loaded.
  process.env.NODE_EXTRA_CA_CERTS = file
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Sends a mail from a stack with these variables to a server with this behaviour, and returns the result. */
async function send(behaviour: SmtpBehaviour, variables: Variables) {
  const { only, start } = await import('../stack.ts')
  const smtp: TestSmtp = await startSmtp(behaviour)
  const stack = await start({
    components: only('email'),
    variables: { SMTP_HOST: 'localhost', SMTP_PORT: String(smtp.port), ...credentials, ...variables },
  })
  try {
    const mail = { subject: 'Hello', to: 'ann@example.com', text: 'How are you?' }
    const { status, body } = await askJson(`${stack.url}/email/smtp`, 'POST', mail)
    return { status, body, mails: smtp.mails, heard: smtp.heard.commands }
  } finally {
    await stack.dispose()
    smtp.close()
  }
}

const ways = {
  ssl: { isSecure: true },
  tls: { hasStartTls: true },
}

describe.each(Object.entries(ways))('SMTP_ENCRYPTION=%s', (SMTP_ENCRYPTION, way) => {
  const sendTo = (certificate: keyof typeof certificates, variables: Variables = {}) =>
    send({ ...way, login, certificate: certificates[certificate] }, { SMTP_ENCRYPTION, ...variables })

  it('sends over TLS to a server with a valid certificate', async () => {
    const { status, mails } = await sendTo('its own')
    expect(status).toBe(201)
    expect(mails).toMatchObject([{ isSecure: true, user: 'ann' }])
  })

  it.each(['of another host', 'of an unknown authority'] as const)(
    'sends nothing to one with a certificate %s',
    async (which) => {
      const { status, body, mails } = await sendTo(which)
      expect({ status, body }).toMatchObject({ status: 502, body: { status_code: 'smtp_failed' } })
      expect(mails).toEqual([])
    },
  )
})

describe('SMTP_ENCRYPTION=tls', () => {
  it('sends nothing but STARTTLS unencrypted', async () => {
    const { status, heard } = await send(
      { hasStartTls: true, login, certificate: certificates['its own'] },
      { SMTP_ENCRYPTION: 'tls' },
    )
    expect(status).toBe(201)
    expect(heard.slice(0, 2)).toEqual(['EHLO localhost.localdomain', 'STARTTLS'])
    // No command is heard after STARTTLS, since the bytes are TLS then.
    expect(heard.slice(2).join('')).not.toMatch(/AUTH|MAIL/)
  })

  it('sends neither mail nor credentials to a server without STARTTLS', async () => {
    const { status, body, mails, heard } = await send({ login }, { SMTP_ENCRYPTION: 'tls' })
    expect({ status, body }).toMatchObject({
      status: 502,
      body: { status_code: 'smtp_failed', message: expect.stringContaining('does not support STARTTLS') },
    })
    expect(mails).toEqual([])
    expect(heard.filter((command) => command !== 'QUIT')).toEqual(['EHLO localhost.localdomain', 'STARTTLS'])
  })
})

describe('without SMTP_ENCRYPTION', () => {
  it('does not encrypt, even if the server offers STARTTLS', async () => {
    const { status, mails, heard } = await send({ hasStartTls: true, login }, {})
    expect(status).toBe(201)
    expect(mails).toMatchObject([{ isSecure: false, user: 'ann' }])
    expect(heard).not.toContain('STARTTLS')
  })
})
