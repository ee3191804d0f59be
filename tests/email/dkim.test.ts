// Tests the DKIM signatures of mails with an independent verifier, as receiving servers use one.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { senderTo } from './support.ts'

const pair = (type: 'pkcs8' | 'pkcs1' = 'pkcs8') => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type, format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { key: privateKey, text: `v=DKIM1; k=rsa; p=${Buffer.from(publicKey).toString('base64')}` }
}

const name = 'shop._domainkey.example.com'
const from = { EMAIL_FROM: 'Shop <shop@example.com>', DKIM_DOMAIN: 'example.com', DKIM_SELECTOR: 'shop' }

/** A sender that signs with a new key, and the DNS record with the public key. */
async function signing(pem = (key: string) => key) {
  const { key, text } = pair()
  return { ...(await senderTo({}, { ...from, DKIM_PRIVATE_KEY: pem(key) })), record: { name, text } }
}

describe('a mail', () => {
  it.each<[string, object]>([
    ['of plain text', {}],
    ['of empty lines and spaces', { text: 'a \n\n\t b  c\n\n\n \n' }],
    ['with dots', { text: '.\n..\n.a' }],
    ['of one long line', { text: 'x'.repeat(5_000) }],
    ['in any script', { subject: 'Grüße 🎉', to: 'Юля <ann@example.com>', text: 'مرحبا', html: '<p>你好' }],
    ['to addresses in any script', { to: 'юля@почта.рф' }],
    ['to many', { to: Array.from({ length: 50 }, (_, i) => `Somebody ${i} <a${i}@example.com>`) }],
    ['with more headers', { headers: { 'List-Unsubscribe': '<https://example.com/u>', 'X-A': 'ä b  c' } }],
    [
      'with files',
      { html: '<img src="cid:a">', attachments: [{ filename: 'ä.png', content: btoa('\0\r\n.\r\n'), cid: 'a' }] },
    ],
    ['of a megabyte', { attachments: [{ filename: 'a', content: 'QUJD'.repeat(350_000) }] }],
  ])('%s has a valid signature', async (_, mail) => {
    const { through, signatures, record } = await signing()
    const { source } = await through(mail)
    expect(source).toMatch(/^DKIM-Signature: v=1;/)
    const [verdict] = await signatures(record)
    expect(verdict).toMatchObject({
      ...{ result: 'pass', domain: 'example.com', selector: 'shop', algorithm: 'rsa-sha256' },
      canonicalization: 'relaxed/relaxed',
    })
    expect(verdict!.headers).toEqual(expect.arrayContaining(['from', 'to', 'subject', 'date', 'message-id']))
  })

  it('has a signature over the headers of one-click unsubscription', async () => {
    const { through, signatures, record } = await signing()
    const headers = {
      'List-Unsubscribe': '<https://example.com/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    await through({ headers })
    const [verdict] = await signatures(record)
    expect(verdict).toMatchObject({ result: 'pass' })
    expect(verdict!.headers).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']))
  })

  it('has a signature by a key with escaped line breaks', async () => {
    const { through, signatures, record } = await signing((key) => key.replaceAll('\n', '\\n'))
    await through()
    expect(await signatures(record)).toMatchObject([{ result: 'pass' }])
  })

  it('has a signature by a PKCS #1 key', async () => {
    const { key, text } = pair('pkcs1')
    const { through, signatures } = await senderTo({}, { ...from, DKIM_PRIVATE_KEY: key })
    await through()
    expect(await signatures({ name, text })).toMatchObject([{ result: 'pass' }])
  })

  it('has an invalid signature for another key', async () => {
    const { through, signatures } = await signing()
    await through()
    expect(await signatures({ name, text: pair().text })).toMatchObject([{ result: 'fail' }])
  })

  it('has no signature if no key is set', async () => {
    const { through, signatures } = await senderTo()
    await through()
    expect(await signatures({ name, text: '' })).toMatchObject([{ result: 'none' }])
  })

  it('is not sent with a key other than RSA', async () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const { send, see } = await senderTo({}, { ...from, DKIM_PRIVATE_KEY: privateKey })
    expect(await send()).toMatchObject({ status: 503, json: { status_code: 'not_configured' } })
    expect(await see()).toMatchObject({ connections: 0 })
  })
})
