// Tests that a stack starts the server of a container beside its component, restarts it after a kill, and leaves no
// process.
import { existsSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../scripts/stack/port.ts'
import type { Stack, StackOptions } from '../../../scripts/stack/stack.ts'
import { ask } from '../http.ts'
import { fixtureStarted, isAlive, killProcessesOf, processesOf } from '../processes.ts'
import { start, temporary } from '../stack.ts'
import { fixture, fixtureContainer } from './fixture.ts'

interface ServerState {
  pid: number
  program: number
  TOKEN: string
  WORK_DIR: string
  WARM: string
  FIXTURE_GIVEN: string
}

const shownBy = async (url: string): Promise<ServerState> => JSON.parse((await ask(url)).text)

/** Options of polls. The timeout is long, since a machine may be slow. */
const patient = { timeout: 60_000 }

let stateDir: string

beforeEach(() => {
  stateDir = temporary()
})

afterEach(() => {
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

describe('a container', () => {
  let stack: Stack
  let lines: string[]

  const begin = async (more: Partial<StackOptions> = {}) => {
    lines = []
    const log = (line: string) => void lines.push(line)
    const variables = { FIXTURE_GIVEN: 'given' }
    stack = await start({ components: [fixture], containers: [fixtureContainer], stateDir, log, variables, ...more })
  }
  const envOf = async () => JSON.parse((await ask(`${stack.url}/badge/env`)).text)
  const deaths = () => lines.filter((line) => line.startsWith('The '))

  afterEach(() => stack.dispose())

  it('runs beside the component, which has its address and token', async () => {
    await begin()
    await stack.containers.badge!.up()
    const { url, pid } = stack.containers.badge!
    const { BADGE_CONTAINER_URL, BADGE_CONTAINER_TOKEN } = await envOf()
    expect(BADGE_CONTAINER_URL).toBe(url)
    expect(BADGE_CONTAINER_TOKEN).toMatch(/^[\w-]{43}$/)
    const shown = await shownBy(url)
    expect(shown).toMatchObject({ pid: pid(), TOKEN: BADGE_CONTAINER_TOKEN, FIXTURE_GIVEN: 'given' })
    expect(shown.WORK_DIR).toBe(`${stateDir}/containers/badge`)
    expect(existsSync(shown.WORK_DIR)).toBe(true)
  })

  it('warms up before the first request only with WARM', async () => {
    const warmth = async () => {
      await stack.containers.badge!.up()
      return (await shownBy(stack.containers.badge!.url)).WARM
    }
    await begin()
    expect(await warmth()).toBe('false')
    await stack.dispose()
    await begin({ variables: { WARM: 'true' } })
    expect(await warmth()).toBe('true')
  })

  it('restarts at the same address after each kill, and leaves nothing of the killed process', async () => {
    await begin()
    const { url, pid, up } = stack.containers.badge!
    for (const kill of [1, 2, 3]) {
      await up()
      const before = await shownBy(url)
      process.kill(before.pid, 'SIGKILL')
      await expect.poll(pid, patient).not.toBe(before.pid)
      await up()
      expect(await shownBy(url)).toMatchObject({ pid: pid(), TOKEN: before.TOKEN })
      await expect.poll(() => isAlive(before.program), patient).toBe(false)
      expect(deaths()).toEqual(Array(kill).fill('The badge container ended (SIGKILL); it starts again'))
    }
  })

  it('logs one line with the reason when it exits with an error', async () => {
    await begin()
    const { url, up } = stack.containers.badge!
    await up()
    await ask(`${url}/break`).catch(() => undefined)
    await expect.poll(deaths, patient).toEqual(['The badge container ended (TypeError: it is broken); it starts again'])
  })

  it('ends with the stack, together with its children', async () => {
    await begin()
    await stack.containers.badge!.up()
    const { pid, program } = await shownBy(stack.containers.badge!.url)
    await stack.dispose()
    expect(stack.containers.badge!.pid()).toBeUndefined()
    await expect.poll(() => [pid, program].filter(isAlive), patient).toEqual([])
    await begin()
  })

  it('ends with the stack during its restart delay', async () => {
    await begin({ containers: [{ name: 'badge', main: `${stateDir}/none.ts` }] })
    await expect
      .poll(deaths, patient)
      .toContainEqual(expect.stringMatching(/^The badge container ended \(Error: Cannot find/))
    await stack.dispose()
    expect(stack.containers.badge!.pid()).toBeUndefined()
    await begin()
  })

  it('is not started if the caller names another address', async () => {
    await begin({ variables: { FIXTURE_GIVEN: 'given', BADGE_CONTAINER_URL: 'http://127.0.0.1:9' } })
    expect(stack.containers).toEqual({})
    expect(await envOf()).toMatchObject({ BADGE_CONTAINER_URL: 'http://127.0.0.1:9' })
    expect(await envOf()).not.toHaveProperty('BADGE_CONTAINER_TOKEN')
  })
})

// Skipped elsewhere: the test finds processes by their environment, which only Linux shows as a file.
describe.runIf(existsSync('/proc/self/environ'))('a stack with a container', () => {
  afterEach(() => killProcessesOf(stateDir))

  const programs = () => processesOf(stateDir).map(({ program }) => program)

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('leaves no process after %s', async (signal) => {
    const { child, ended } = await fixtureStarted(stateDir, await freePort(0))
    expect(programs()).toEqual(expect.arrayContaining(['workerd', 'sleep']))
    process.kill(child.pid!, signal)
    await ended
    await expect.poll(programs, patient).toEqual([])
  })

  it('keeps its files after kill -9 of all processes', async () => {
    const port = await freePort(0)
    const url = `http://localhost:${port}/badge/file`
    const first = await fixtureStarted(stateDir, port)
    await ask(url, { method: 'PUT', body: 'some bytes' })
    process.kill(-first.child.pid!, 'SIGKILL')
    await first.ended
    await fixtureStarted(stateDir, port)
    expect((await ask(url)).text).toBe('some bytes')
  })
})
