// Tests `npm start` as a user runs it: its data survives restarts and kills, and no process is left when it ends.
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../scripts/stack/port.ts'
import { askJson } from '../http.ts'
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

/** Commands of the processes of `npm start`, without npm and the watchdogs. */
const parts = ['scripts/start.ts', 'workerd', 'containers/media/server.ts']

const missing = () => {
  const commands = processesOf(stateDir).map(({ command }) => command)
  return parts.filter((part) => commands.every((command) => !command.includes(part)))
}

const runtimeOf = (state: string) => processesOf(state).find(({ program }) => program === 'workerd')!.pid

const noProcessLeft = () => expect.poll(() => processesOf(stateDir), { timeout: 120_000 }).toEqual([])

// Skipped elsewhere: the test finds processes by their environment, which only Linux shows as a file.
describe.runIf(existsSync('/proc/self/environ'))('npm start', { timeout: 900_000 }, () => {
  it('keeps its data after Ctrl-C, a second start, a crash of the runtime and kill -9 of all processes', async () => {
    const first = await started(stateDir, port)
    expect(missing()).toEqual([])
    await addRecord()
    // Signals the whole process group, as a terminal does at Ctrl-C.
    process.kill(-first.child.pid!, 'SIGINT')
    await first.ended
    await noProcessLeft()

    const second = await started(stateDir, port)
    await addRecord()
    const { ended, output } = npmStart(stateDir, await freePort(0))
    expect(await ended).toBe(1)
    expect(output()).toMatch(/is in use by process \d+; set STATE_DIR to another folder/)
    expect(await countRecords()).toBe(2)

    const killed = runtimeOf(stateDir)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => countRecords().catch(() => 0), { timeout: 120_000 }).toBe(2)
    expect(runtimeOf(stateDir)).not.toBe(killed)
    await addRecord()

    process.kill(-second.child.pid!, 'SIGKILL')
    await second.ended
    await started(stateDir, port)
    expect(await countRecords()).toBe(3)

    const isStart = ({ program, command }: Process) => program === 'node' && command.includes('scripts/start.ts')
    process.kill(processesOf(stateDir).find(isStart)!.pid, 'SIGKILL')
    await noProcessLeft()
  })

  it('leaves no process when its terminal closes', async () => {
    const { child, ended } = await started(stateDir, port)
    expect(missing()).toEqual([])
    process.kill(-child.pid!, 'SIGHUP')
    await ended
    await noProcessLeft()
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('leaves no process when npm alone gets %s', async (signal) => {
    const { child } = await started(stateDir, port)
    expect(missing()).toEqual([])
    child.kill(signal)
    await noProcessLeft()
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
})
