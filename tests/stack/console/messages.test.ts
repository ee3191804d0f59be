// Tests the console's pages of messages (SMS, mail, bot) and one-time passwords in a browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { askJson } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the pages of messages and one-time passwords', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({ components: only('sms', 'email', 'otp', 'queue') })
  })

  afterAll(() => console?.dispose())

  const call = async (method: string, path: string, params: object = {}) => {
    const { body } = await askJson(console.stack.url + path, method, params)
    expect(body).toMatchObject({ status: true })
    return (body as { content: Record<string, unknown> }).content
  }

  it('sends an SMS, and lists it with its state', async () => {
    const page = await console.open('/messages')
    await page.getByText('There is no message yet.', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    await page.getByLabel('Phones', { exact: true }).fill('77011234567, 77011234568')
    await page.getByRole('textbox', { name: 'Message' }).fill('Good morning')
    await holdsUp(page)
    await page.getByRole('button', { name: 'Send the SMS' }).click()
    await page.getByRole('region', { name: 'What became of the SMS' }).getByText('sent').nth(1).waitFor()
    await page.getByRole('link', { name: 'SMS', exact: true }).click()
    const rows = page.getByRole('region', { name: 'SMS and calls' }).getByRole('row')
    await expect.poll(() => rows.count(), pageTimeout).toBe(3)
    await page.getByLabel('Phone', { exact: true }).fill('+7 701 123 45 68')
    await expect.poll(() => rows.count(), pageTimeout).toBe(2)
    await rows.getByText('Good morning').waitFor()
    await holdsUp(page)
    await page.getByLabel('State').selectOption('failed')
    await page.getByText('There is no such message.').waitFor()
    expect(console.complaints).toEqual([])
  })

  it('shows an invalid phone number beside the field', async () => {
    const page = await console.open('/messages/send')
    await page.getByLabel('Phones', { exact: true }).fill('77011234567, 12')
    await page.getByRole('textbox', { name: 'Message' }).fill('Good morning')
    await page.getByRole('button', { name: 'Send the SMS' }).click()
    await page
      .getByText(/phones\.1 must have 7 to 15 digits/)
      .first()
      .waitFor()
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
  })

  it('sends a mail, lists it, shows it with its source, and deletes all mails', async () => {
    const page = await console.open('/messages/send')
    await page.getByLabel('To', { exact: true }).fill('Ann <ann@example.com>')
    await page.getByLabel('Subject').fill('Greetings')
    await page.getByLabel('HTML').fill('<h1 style="color: navy">Hello, Ann</h1>')
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByText('The mail is sent.').waitFor()
    await call('POST', '/email/smtp', {
      ...{ to: 'bob@example.com', subject: 'With a file', text: 'See there' },
      attachments: [{ filename: 'list.txt', content: btoa('one, two'), content_type: 'text/plain' }],
    })
    await page.getByRole('link', { name: 'Mail', exact: true }).click()
    await page.getByRole('link', { name: 'With a file' }).click()
    await page.getByRole('row', { name: /list\.txt text\/plain/ }).waitFor()
    await page.getByRole('link', { name: 'All mails' }).click()
    await page.getByLabel('Subject').fill('Greet')
    await page.getByRole('link', { name: 'With a file' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Greetings' }).waitFor()
    expect(await page.evaluate('document.activeElement.value')).toBe('Greet')
    await holdsUp(page)
    await page.getByRole('link', { name: 'Greetings' }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Hello, Ann' }).waitFor()
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
    await page.getByRole('button', { name: 'Show it as it came' }).click()
    await page
      .getByRole('region', { name: 'The mail as it came' })
      .getByText('MIME-Version', { exact: false })
      .waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'All mails' }).click()
    await page.getByRole('button', { name: 'Forget all mails' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget all mails' }).click()
    await page.getByText('No mail was caught yet.', { exact: false }).waitFor()
    expect(await call('GET', '/email/messages')).toMatchObject({ messages: [] })
    expect(console.complaints).toEqual([])
  })

  it('warns that mail is really sent if no mail is caught', async () => {
    const page = await console.open('/')
    const refusal = { status: false, status_code: 'route_not_found', message: 'There is no such route' }
    await page.route('**/email/messages', (route) => route.fulfill({ status: 404, json: refusal }))
    await page.goto(`${console.url}#/messages/mail`)
    await page.getByText('Mail goes out to an SMTP server here', { exact: false }).waitFor()
    await holdsUp(page)
    await page.close()
    expect(new Set(console.complaints.splice(0))).toEqual(new Set([expect.stringContaining('status of 404')]))
  })

  it('finds a phone number on the blacklist, adds it, and removes it', async () => {
    const page = await console.open('/messages/blacklist')
    await page.getByLabel('Phone', { exact: true }).fill('77019999999')
    await page.getByRole('button', { name: 'Look it up' }).click()
    await page.getByText('77019999999 is not on the blacklist.').waitFor()
    await page.getByRole('button', { name: 'Put it there' }).click()
    await page.getByText('77019999999 is on the blacklist since', { exact: false }).waitFor()
    expect(await call('GET', '/sms/blacklist', { phone: '77019999999' })).toMatchObject({
      blacklist: { phone: '77019999999' },
    })
    await holdsUp(page)
    await page.getByRole('button', { name: 'Take it off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take it off' }).click()
    await page.getByText('77019999999 is not on the blacklist.').waitFor()
    // The API replies 400 for a phone that is not on the blacklist, and the browser logs that.
    expect(new Set(console.complaints.splice(0))).toEqual(new Set([expect.stringContaining('status of 400')]))
  })

  it('sends a password, shows it only in the message, and checks it', async () => {
    const page = await console.open('/otp')
    await page.getByText('No password is valid now.', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByLabel('To', { exact: true }).fill('77017654321')
    await page.getByRole('button', { name: 'Send the password' }).click()
    await page.getByText('The password is on its way.').waitFor()
    await holdsUp(page)
    const sent = async () => {
      const { messages } = await call('GET', '/sms/messages', { phone: '77017654321' })
      return (messages as { text?: string }[])[0]?.text
    }
    await expect.poll(sent, pageTimeout).toMatch(/^Your code: \d{6}$/)
    const password = (await sent())!.slice(-6)
    expect(await page.locator('main').textContent()).not.toContain(password)
    await page.getByLabel('Sent to').fill('77017654321')
    await page.getByLabel('Entered password').fill('wrong')
    await page.getByRole('button', { name: 'Check the password' }).click()
    await page.getByText('It is wrong, or is not valid any more.').waitFor()
    await page.getByLabel('Entered password').fill(password)
    await page.getByRole('button', { name: 'Check the password' }).click()
    await page.getByText('It was right, and is used up now.').waitFor()
    await page.getByRole('link', { name: 'Sent lately' }).click()
    const row = page.getByRole('row', { name: /321 SMS used/ })
    await row.waitFor()
    expect(await row.textContent()).not.toContain('77017654321')
    await holdsUp(page)
    expect(console.complaints).toEqual([])
  })

  it('shows the messages of the bot, and deletes them', async () => {
    await call('POST', '/otp/chatapp', { chat_id: 'chat-1', password: 'abc', lifetime: 60, message: 'The word: abc' })
    const page = await console.open('/messages/bot')
    await page.getByText('The word: abc').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Forget all messages' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget all messages' }).click()
    await page.getByText('The bot has sent nothing yet.', { exact: false }).waitFor()
    expect(await call('GET', '/otp/messages')).toMatchObject({ messages: [] })
    expect(console.complaints).toEqual([])
  })

  it('sets and removes the limits of a channel, which are enforced', async () => {
    const page = await console.open('/otp/limits')
    // The default rules are shown first: one for IP addresses and two for email addresses.
    const ips = [{ minutes: 60, rate: 100 }]
    await page.getByRole('button', { name: 'Remove rule 2 for each email address, Email' }).click()
    await page.getByLabel('Sends, rule 1 for each email address, Email').fill('1')
    await page.getByLabel('Minutes, rule 1 for each email address, Email').fill('60')
    await page.getByRole('button', { name: 'Save the limits of Email' }).click()
    await page.getByText('The limits of Email are set.').waitFor()
    expect(await call('GET', '/otp/limit/email')).toEqual({ ips, emails: [{ minutes: 60, rate: 1 }] })
    await holdsUp(page)
    const other = await console.open('/otp/try')
    await other.getByLabel('By', { exact: true }).selectOption('Email')
    await other.getByLabel('To', { exact: true }).fill('cat@example.com')
    await other.getByRole('button', { name: 'Send the password' }).click()
    await other.getByText('The password is on its way.').waitFor()
    await other.getByRole('button', { name: 'Send the password' }).click()
    await other.getByRole('alert').waitFor()
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 429')])
    await page.getByRole('button', { name: 'Remove rule 1 for each email address, Email' }).click()
    await page.getByRole('button', { name: 'Save the limits of Email' }).click()
    await expect.poll(() => call('GET', '/otp/limit/email'), pageTimeout).toEqual({ ips, emails: [] })
    expect(console.complaints).toEqual([])
  })
})
