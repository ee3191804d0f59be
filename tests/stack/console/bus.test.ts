// Tests the console's page of the bus in a browser.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { ask, askJson } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

const secret = 'the-secret-of-the-administrator'

describe.skipIf(!has('chromium'))('the page of the bus', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({
      components: only('bus', 'catcher', 'queue'),
      // The bus has two instances, and the other one is down.
      variables: { BOX_ADMIN_SECRET: secret, BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://localhost:1/bus' },
    })
  })

  afterAll(() => console?.dispose())

  const bus = async (method: string, path: string, params: object = {}, key = secret) => {
    const headers = { 'api-secret': key }
    const { text } = await ask(`${console.stack.url}/bus${path}`, { method, headers, body: JSON.stringify(params) })
    return JSON.parse(text) as { status_code: string; content: Record<string, unknown> }
  }

  /** Opens a page of the bus as its administrator, or with another secret. */
  async function openAs(hash: string, key = secret): Promise<Page> {
    const page = await console.open('/nowhere')
    await page.evaluate(`sessionStorage.setItem('quartermaster', ${JSON.stringify(JSON.stringify({ secret: key }))})`)
    await page.goto(`${console.url}?again#${hash}`)
    await page.getByRole('navigation', { name: 'Bus' }).waitFor()
    return page
  }

  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })

  it('asks for the secret of a bus user, reports an invalid one, and accepts a valid one', async () => {
    const page = await console.open('/bus')
    await page.getByText('BOX_ADMIN_SECRET').waitFor()
    await holdsUp(page)
    expect(console.complaints).toEqual([])
    await page.getByLabel('Secret').fill('a wrong secret')
    await page.getByRole('button', { name: 'Use secret' }).click()
    await page.getByRole('alert').getByText('No user has this secret').waitFor()
    await page.getByLabel('Secret').fill(secret)
    await page.getByRole('button', { name: 'Use secret' }).click()
    await page.getByText('No collections yet.', { exact: false }).waitFor()
    await holdsUp(page)
    expect(page.url()).not.toContain(secret)
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(secret)
    for (const complaint of console.complaints.splice(0)) expect(complaint).toContain('status of 401')
    await page.close()
  })

  it('creates a user, shows its secret once, renews it, disables, enables and deletes the user', async () => {
    const page = await openAs('/bus/users')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('Name').fill('crm')
    await page.getByRole('button', { name: 'Create' }).click()
    const dialog = page.getByRole('dialog', { name: 'The secret of crm' })
    const first = (await dialog.locator('code').textContent())!
    expect((await bus('GET', '/documents', { collection: 'none' }, first)).status_code).toBe('forbidden')
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()'), pageTimeout).toBe(first)
    await holdsUp(page)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.content(), pageTimeout).not.toContain(first)

    await page.getByRole('button', { name: 'Renew secret of crm' }).click()
    await confirm(page, 'Renew secret')
    await dialog.waitFor()
    const second = (await dialog.locator('code').textContent())!
    expect(second).not.toBe(first)
    expect((await bus('GET', '/documents', { collection: 'none' }, first)).status_code).toBe('unauthorized')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Disable crm' }).click()
    await row(page, 'crm').getByText('disabled').waitFor()
    await page.getByRole('button', { name: 'Enable crm' }).click()
    await row(page, 'crm').getByText('active').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Delete crm' }).click()
    await confirm(page, 'Delete')
    await row(page, 'crm').waitFor({ state: 'detached' })
    expect((await bus('GET', '/client', { name: 'crm' })).status_code).toBe('client_not_found')
    expect(console.complaints).toEqual([])
    await page.close()
  })

  it('creates, changes and deletes a collection, and shows errors beside the fields', async () => {
    const page = await openAs('/bus')
    await page.getByLabel('Name').fill('Not Good')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid'), pageTimeout).toBe('true')
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
    await page.getByLabel('Name').fill('prices')
    await page.getByLabel('Type').selectOption('storage')
    await page.getByLabel('Description').fill('What things cost')
    await page.getByRole('button', { name: 'Create' }).click()
    await row(page, 'prices').getByText('What things cost').waitFor()
    await page.getByRole('button', { name: 'Change prices' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('async')
    await dialog.getByLabel('Handler').fill(`${console.stack.url}/catcher/prices`)
    await dialog.getByLabel('Description').fill('')
    await dialog.getByLabel('Disabled', { exact: false }).check()
    await holdsUp(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'prices').getByText('disabled', { exact: true }).waitFor()
    expect((await bus('GET', '/collection', { name: 'prices' })).content.collection).toMatchObject({
      ...{ type: 'async', handler: `${console.stack.url}/catcher/prices`, is_disabled: true },
      description: '',
    })
    await page.getByRole('button', { name: 'Delete prices' }).click()
    await confirm(page, 'Delete')
    await row(page, 'prices').waitFor({ state: 'detached' })
    expect(console.complaints).toEqual([])
    await page.close()
  })

  it('grants access, shows it by user and by collection, and revokes it', async () => {
    const { client } = (await bus('POST', '/client', { name: 'shop' })).content as { client: { id: number } }
    await bus('POST', '/collection', { name: 'stock', type: 'storage' })
    const page = await openAs(`/bus/access?client=${client.id}`)
    await page.getByText('No access granted.', { exact: false }).waitFor()
    expect(await page.getByLabel('User', { exact: true }).inputValue()).toBe(String(client.id))
    await page.getByLabel('Collection', { exact: true }).selectOption('stock')
    await page.getByLabel('Level').selectOption('write')
    await page.getByRole('button', { name: 'Grant' }).click()
    await row(page, 'shop').getByText('read and write').waitFor()
    await holdsUp(page)
    await page.getByLabel('Access to').selectOption('stock')
    await row(page, 'shop').waitFor()
    await page.getByRole('button', { name: 'Revoke access of shop to stock' }).click()
    await confirm(page, 'Revoke')
    await page.getByText('No access granted.', { exact: false }).waitFor()
    expect((await bus('GET', '/accesses', { client: client.id })).content.accesses).toEqual([])
    expect(console.complaints).toEqual([])
    await page.close()
  })

  it('sends a document, shows its state, and delivers it again', async () => {
    const [handler, webhook] = [`${console.stack.url}/catcher/orders`, `${console.stack.url}/catcher/answers`]
    await bus('POST', '/collection', { name: 'orders', type: 'async', handler })
    const page = await openAs('/bus/collections/orders')
    await page.getByText('No documents.').waitFor()
    await page.getByRole('link', { name: 'Send a document' }).click()
    await page.getByLabel('Event').fill('created')
    await page.getByLabel('JSON data').fill('{"order": 17')
    await page.getByLabel('Webhook').fill(webhook)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Must be valid JSON.').waitFor()
    await page.getByLabel('JSON data').fill('{"order": 17}')
    const uuid = await page.getByLabel('UUID').inputValue()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Result').waitFor()
    await expect.poll(() => page.getByLabel('UUID').inputValue(), pageTimeout).not.toBe(uuid)
    await holdsUp(page)
    await page.getByRole('link', { name: 'Documents' }).click()
    await page.getByRole('heading', { name: 'Documents: 1' }).waitFor()
    await page.getByRole('region', { name: 'Documents' }).getByText('delivered').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: new RegExp(uuid) }).click()
    await page.getByRole('dialog').getByText('"order": 17').waitFor()
    await page.getByRole('dialog').getByText('"status": true').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Document replayed.').waitFor()
    const caught = async () => {
      const { body } = await askJson(`${console.stack.url}/catcher/_requests_`, 'GET', {
        path: '/answers',
        count: true,
      })
      return (body as { content: { nb_results: number } }).content.nb_results
    }
    await expect.poll(caught, pageTimeout).toBe(2)
    expect(console.complaints).toEqual([])
    await page.close()
  })

  it('shows attempts, subscriptions and circuits, replays by state, and deletes a document', async () => {
    const handler = `${console.stack.url}/catcher/repaired`
    await bus('POST', '/collection', { name: 'repaired', type: 'async', handler: 'http://127.0.0.1:1/' })
    const page = await openAs('/bus/subscriptions')
    await page.getByLabel('Collection', { exact: true }).fill('repaired')
    await page.getByLabel('URL').fill(`${console.stack.url}/catcher/subscriber`)
    await page.getByLabel('Events').fill('created, paid*')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('dialog').getByText('whsec_').waitFor()
    await holdsUp(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('region', { name: 'Subscriptions' }).getByText('created, paid*').waitFor()
    const document = { collection: 'repaired', event: 'created', uuid: crypto.randomUUID(), data: { order: 18 } }
    await bus('POST', '/document', { ...document, webhook: `${console.stack.url}/catcher/answers` })
    await page.goto(`${console.url}#/bus`)
    await page.getByText('handler: ', { exact: false }).waitFor()
    const { id } = (await bus('GET', '/collection', { name: 'repaired' })).content.collection as { id: number }
    await bus('PATCH', '/collection', { id, handler })
    await page.goto(`${console.url}#/bus/collections/repaired`)
    await page.getByLabel('In state').selectOption('waiting')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('done', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'delivered', exact: true }).click()
    await page.getByRole('button', { name: new RegExp(document.uuid) }).click()
    await page.getByRole('dialog').getByRole('region', { name: 'Attempts' }).getByText('webhook').waitFor()
    await page.getByRole('dialog').getByRole('region', { name: 'Subscribers' }).getByText('delivered').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Delete document 1' }).click()
    await confirm(page, 'Delete')
    await page.getByText('Document deleted.').waitFor()
    expect((await bus('GET', '/document', { collection: 'repaired', id: 1 })).status_code).toBe('document_not_found')
    expect(console.complaints).toEqual([])
    await page.close()
  })

  it('pages through a collection with many documents, and shows a sync response', async () => {
    await bus('POST', '/collection', { name: 'many', type: 'storage' })
    const ids = Array.from({ length: 60 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)
    for (const uuid of ids)
      await bus('POST', '/document', { collection: 'many', event: 'kept', uuid, data: 'x'.repeat(5_000) })
    const page = await openAs('/bus/collections/many')
    await page.getByRole('button', { name: new RegExp(ids.at(-1)!) }).waitFor()
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('button', { name: new RegExp(ids[0]!) }).waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'Newest' }).click()
    await page.getByRole('button', { name: new RegExp(ids.at(-1)!) }).waitFor()

    await bus('POST', '/collection', { name: 'asked', type: 'sync', handler: `${console.stack.url}/catcher/asked` })
    await page.goto(`${console.url}#/bus/collections/asked/send`)
    await page.getByLabel('Event').fill('asked')
    await page.getByLabel('JSON data').fill('1')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Answer of the handler' }).getByText('"status": true').waitFor()
    expect(console.complaints).toEqual([])
    await page.close()
  })

  it('lets an ordinary user open readable collections, and reports missing rights', async () => {
    const { client } = (await bus('POST', '/client', { name: 'reader' })).content as {
      client: { id: number; secret: string }
    }
    const { collection } = (await bus('POST', '/collection', { name: 'shared', type: 'storage' })).content as {
      collection: { id: number }
    }
    await bus('POST', '/access', { client: client.id, collection: collection.id, level: 'read' })
    const page = await openAs('/bus', client.secret)
    await page.getByRole('alert').getByText('The user has no access to this operation').waitFor()
    await page.getByLabel('Collection', { exact: true }).fill('shared')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('No documents.').waitFor()
    await page.close()
    for (const complaint of console.complaints.splice(0)) expect(complaint).toContain('status of 403')
  })

  it('shows the replication progress of another instance, and the error', async () => {
    const page = await openAs('/bus/synchronisation')
    const instance = page.getByRole('row').filter({ hasText: 'http://localhost:1/bus' })
    await instance.getByText('failed', { exact: true }).waitFor()
    await holdsUp(page)
    expect(console.complaints).toEqual([])
    await page.close()
  })
})
