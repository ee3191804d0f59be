// Follows the README as a new user does: runs `npm start`, makes its calls, and stops it.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../scripts/lib/programs.ts'
import { components } from '../../scripts/stack/components.ts'
import { freePort } from '../../scripts/stack/port.ts'
import { calledIn, examplesIn, type Ran, runExamples } from './docs/examples.ts'
import { killProcessesOf, processesOf, type Run, started } from './processes.ts'
import { temporary } from './stack.ts'

const examples = examplesIn(readFileSync('README.md', 'utf8'))

describe.skipIf(!has('curl') || !has('bash'))('the README', () => {
  const stateDir = temporary()
  let url: string
  let run: Run
  let ran: Ran

  beforeAll(async () => {
    const port = await freePort(0)
    url = `http://localhost:${port}`
    run = await started(stateDir, port)
    ran = await runExamples(examples, { url, stateDir })
  })

  afterAll(async () => {
    if (hasProcesses) await killProcessesOf(stateDir)
    rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
  })

  it('starts all components, and prints their addresses, their documentation and the folder of the data', () => {
    const { port } = new URL(url)
    for (const { name } of components())
      expect(run.output()).toContain(`${url}/${name}  http://${name}.localhost:${port}`)
    expect(run.output()).toContain(`docs: ${url}/feed/_docs`)
    expect(run.output()).toContain(`docs: ${url}/catcher/_requests_/_docs`)
    expect(run.output()).toContain(`Console: ${url}/console/  Guide: ${url}/docs/`)
    expect(run.output()).toContain(`Data: ${stateDir}`)
  })

  it('has calls to every component', () => {
    expect(calledIn(examples)).toEqual(new Set(components().map(({ name }) => name)))
  })

  it('runs from top to bottom', () => {
    expect(ran.trouble).toBe('')
  })

  it.each(examples.map(({ line }, at) => ({ line, at })))('gets a reply on line $line', ({ at }) => {
    expect(ran.printed[at]).not.toBe('')
  })

  it.each(['/', '/_docs', '/feed/_docs', '/catcher/_requests_/_docs', '/docs/'])('serves the page %s', async (path) => {
    const response = await fetch(url + path, { headers: { accept: 'text/html' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  })

  it('stops everything with SIGTERM to the group', async () => {
    process.kill(-run.child.pid!, 'SIGTERM')
    await run.ended
    if (hasProcesses) await expect.poll(() => processesOf(stateDir)).toEqual([])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})

/** Whether the test can find processes: by their environment, which only Linux shows as a file. */
const hasProcesses = existsSync('/proc/self/environ')
