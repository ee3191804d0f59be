// Tests the console's page of the queue in a browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { ask } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the page of the queue', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({ components: only('queue', 'catcher', 'feed') })
  })

  afterAll(() => console?.dispose())

  const addTask = (worker: string, path: string, more: object = {}) =>
    ask(`${console.stack.url}/queue/task`, {
      method: 'POST',
      body: JSON.stringify({ worker, url: `${console.stack.url}${path}`, ...more }),
    })

  it('pauses a worker, shows waiting tasks, and resumes it', async () => {
    const page = await console.open('/queue')
    await page.getByRole('button', { name: 'Pause media', exact: true }).click()
    await page.getByRole('status').getByText('Worker paused.').waitFor()
    await addTask('media', '/catcher/paused')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'media', exact: true }) })
    await expect.poll(() => row.getByRole('cell').nth(2).textContent(), pageTimeout).toBe('1')
    expect(await row.getByRole('cell').nth(1).textContent()).toBe('paused')
    await holdsUp(page)
    await page.getByRole('button', { name: 'Resume media', exact: true }).click()
    await expect.poll(() => row.getByRole('cell').nth(2).textContent(), pageTimeout).toBe('0')
    expect(console.complaints).toEqual([])
  })

  it('creates a worker, and changes its settings', async () => {
    const page = await console.open('/queue')
    await page.getByLabel('Name', { exact: true }).fill('webhooks')
    await page.getByLabel('Requests per key', { exact: true }).fill('50')
    await page.getByLabel('Period per key', { exact: true }).fill('1')
    await page.getByRole('button', { name: 'Create worker' }).click()
    await page.getByRole('link', { name: 'webhooks', exact: true }).click()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByLabel('Daemons', { exact: true }).fill('7')
    await page.getByLabel('Strict order per key', { exact: true }).check()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByRole('status').getByText('Settings saved.').waitFor()
    await page.getByText('No key is paused.').waitFor()
    const { text } = await ask(`${console.stack.url}/queue/worker?name=webhooks`)
    expect(JSON.parse(text)).toMatchObject({
      content: { worker: { daemons: 7, per_key: { order: true, rate: { limit: 50, period: 1 } } } },
    })
    expect(console.complaints).toEqual([])
  })

  it('shows a failed task, and retries it', async () => {
    await addTask('feed', '/feed/nothing')
    const page = await console.open('/queue/feed?state=failed')
    await page.getByRole('button', { name: /^Retry task/ }).click()
    await page.getByText('Task queued again.').waitFor()
    await expect
      .poll(() => page.getByRole('region', { name: 'Tasks' }).getByRole('cell').nth(3).textContent(), pageTimeout)
      .toBe('2')
    await page.getByRole('button', { name: /POST .*nothing/ }).click()
    await page.getByRole('dialog').getByText('"worker": "feed"').waitFor()
    const attempts = page.getByRole('dialog').getByRole('region', { name: 'Attempts' })
    await attempts.getByRole('cell', { name: '404' }).first().waitFor()
    await holdsUp(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(console.complaints).toEqual([])
  })

  it('counts the tasks that match, and cancels them', async () => {
    for (const n of [1, 2]) await addTask('email', `/catcher/${n}`, { delay: 3_600, labels: ['console'] })
    const page = await console.open('/queue/email/many')
    await page.getByLabel('Action').selectOption('cancel')
    await page.getByLabel('Label').fill('console')
    await page.getByRole('button', { name: 'Count tasks' }).click()
    await page.getByText('2 tasks match.').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Cancel 2 tasks' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 tasks' }).click()
    await page.getByText('Cancel: 2 of 2 tasks.').waitFor()
    expect(console.complaints).toEqual([])
  })

  it('creates a task, and cancels a waiting one', async () => {
    const page = await console.open('/queue/badge/new')
    await page.getByLabel('URL').fill(`${console.stack.url}/catcher/later`)
    await page.getByLabel('Delay').fill('3600')
    await holdsUp(page)
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('waiting', { exact: true }).last().waitFor()
    await page.getByRole('button', { name: /^Cancel task/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Task canceled.').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Tasks' }).textContent()).toContain('canceled')
    expect(console.complaints).toEqual([])
  })

  it('shows errors beside the fields', async () => {
    const page = await console.open('/queue/badge/new')
    await page.getByLabel('URL').fill('ftp://example.com')
    await page.getByRole('button', { name: 'Create task' }).click()
    const field = page.getByLabel('URL')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await holdsUp(page)
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
  })

  it('lists schedules, and deletes one', async () => {
    await addTask('badge', '/catcher/daily', { schedule: 'daily', cron: '0 9 * * *' })
    const page = await console.open('/queue/badge/schedules')
    await page.getByText('POST http').waitFor()
    await page.getByRole('button', { name: 'Pause daily' }).click()
    await page.getByText('Schedule paused.').waitFor()
    await page.getByRole('button', { name: 'Resume daily' }).click()
    await page.getByText('Schedule resumed.').waitFor()
    await page.getByRole('button', { name: 'Run daily' }).click()
    await page.getByText('Task created.').waitFor()
    await page.getByRole('region', { name: 'Schedules' }).getByText('done').waitFor()
    await page.getByText('0 9 * * *').waitFor()
    await page.getByRole('button', { name: 'Delete daily' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No schedules yet.', { exact: false }).waitFor()
    expect(console.complaints).toEqual([])
  })
})
