import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../scripts/stack/port.ts'
import { ask, askJson } from '../http.ts'
import { killProcessesOf, npmStart, type Process, processesOf, started } from '../processes.ts'
import { temporary } from '../stack.ts'

let stateDir: string
let port: number

beforeEach(async () => {
  stateDir = temporary()
  port = await freePort(0)
})

afterEach(async () => {
  await killProcessesOf(stateDir)
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

const news = { collection: 'news', recipient: 'ann' }

async function addRecord() {
  await askJson(`http://localhost:${port}/feed/collection`, 'POST', { name: 'news' })
  expect(await askJson(`http://localhost:${port}/feed/record`, 'POST', news)).toMatchObject({ status: 200 })
}

const countRecords = async () => {
  const { body } = await askJson(`http://localhost:${port}/feed/records/count`, 'GET', news)
  return (body as { content: { records: number } }).content.records
}

/** Without npm, and without what watches over them. */
const parts = ['scripts/start.ts', 'workerd', 'containers/media/server.ts']

const missing = () => {
  const commands = processesOf(stateDir).map(({ command }) => command)
  return parts.filter((part) => commands.every((command) => !command.includes(part)))
}

const runtimeOf = (state: string) => processesOf(state).find(({ program }) => program === 'workerd')!.pid

// Processes are found by their environment, which only Linux shows as a file.
describe.runIf(existsSync('/proc/self/environ'))('npm start', { timeout: 900_000 }, () => {
  it('says where each component, its documentation and the data are', async () => {
    const { output } = await started(stateDir, port)
    expect(output()).toContain(`http://localhost:${port}/feed/_docs`)
    expect(output()).toContain(`http://feed.localhost:${port}`)
    expect(output()).toContain(`http://localhost:${port}/catcher/_requests_/_docs`)
    expect(output()).toContain(`Data: ${stateDir}`)
    expect((await ask(`http://localhost:${port}/feed/_docs`)).status).toBe(200)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('leaves no process after %s', async (signal) => {
    const { child, ended } = await started(stateDir, port)
    expect(missing()).toEqual([])
    // A terminal signals the whole group at Ctrl-C.
    process.kill(-child.pid!, signal)
    await ended
    await expect.poll(() => processesOf(stateDir), { timeout: 120_000 }).toEqual([])
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('leaves no process when npm alone gets %s', async (signal) => {
    const { child } = await started(stateDir, port)
    expect(missing()).toEqual([])
    child.kill(signal)
    await expect.poll(() => processesOf(stateDir), { timeout: 120_000 }).toEqual([])
  })

  it('keeps its data over a restart, and over kill -9 of everything at once', async () => {
    const first = await started(stateDir, port)
    await addRecord()
    process.kill(-first.child.pid!, 'SIGINT')
    await first.ended
    const second = await started(stateDir, port)
    await addRecord()
    process.kill(-second.child.pid!, 'SIGKILL')
    await second.ended
    await started(stateDir, port)
    expect(await countRecords()).toBe(2)
  })

  it('leaves no runtime behind when it alone is killed', async () => {
    await started(stateDir, port)
    const isStart = ({ program, command }: Process) => program === 'node' && command.includes('scripts/start.ts')
    const node = processesOf(stateDir).find(isStart)!
    process.kill(node.pid, 'SIGKILL')
    await expect.poll(() => processesOf(stateDir), { timeout: 120_000 }).toEqual([])
  })

  it('goes on when the runtime is killed', async () => {
    await started(stateDir, port)
    await addRecord()
    const killed = runtimeOf(stateDir)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => countRecords().catch(() => 0), { timeout: 120_000 }).toBe(1)
    expect(runtimeOf(stateDir)).not.toBe(killed)
  })

  it('ends with one line when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const taken = (other.address() as AddressInfo).port
    const { ended, output } = npmStart(stateDir, taken)
    expect(await ended).toBe(1)
    expect(output()).toContain(`Port ${taken} is taken; set PORT to another one`)
    expect(output()).not.toContain(' at ')
    expect(processesOf(stateDir)).toEqual([])
    other.close()
  })

  it('ends with one line when the state is in use', async () => {
    await started(stateDir, port)
    const { ended, output } = npmStart(stateDir, await freePort(0))
    expect(await ended).toBe(1)
    expect(output()).toMatch(/is in use by process \d+; set STATE_DIR to another folder/)
    expect((await ask(`http://localhost:${port}/_health`)).status).toBe(200)
  })
})
