// Tests of the drain of the queue, with a server in the place of the deployed queue.
import { describe, expect, onTestFinished, test } from 'vitest'
import { addressIn, whileDrained } from '../../scripts/deploy/drain.ts'
import { jsonOf, listen } from '../../scripts/lib/server.ts'

interface Worker {
  name: string
  running: number
  is_paused: boolean
}

/** A queue whose workers end one request each time that they are listed. */
async function queueOf(workers: Worker[]) {
  const calls: string[] = []
  const server = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://queue')
    expect(request.headers.authorization).toBe('Bearer token')
    if (request.method === 'GET') {
      const [first, second] = workers.filter(({ name }) => name > (searchParams.get('after') ?? ''))
      const page = first ? [{ ...first }] : []
      if (first?.is_paused) first.running = Math.max(0, first.running - 1)
      return response.end(JSON.stringify({ content: { workers: page, next: second ? first!.name : null } }))
    }
    const { worker: name } = (await jsonOf(request)) as { worker: string }
    calls.push(`${pathname} ${name}`)
    const worker = workers.find((one) => one.name === name)
    if (worker) worker.is_paused = pathname.endsWith('pause')
    response.writeHead(worker ? 200 : 400).end('{}')
  })
  onTestFinished(() => server.close())
  const saved: string[][] = []
  const lines: string[] = []
  const settings = {
    queue: { url: server.url, authorization: 'Bearer token' },
    ...{ timeoutMs: 60_000, intervalMs: 1, paused: [] as string[] },
    save: (paused: string[]) => void saved.push(paused),
    say: (line: string) => void lines.push(line),
  }
  return { workers, calls, saved, lines, settings }
}

describe('the drain of the queue', () => {
  test('pauses workers, waits for their requests, deploys, and resumes only those that it has paused', async () => {
    const { workers, calls, saved, lines, settings } = await queueOf([
      { name: 'a', running: 3, is_paused: false },
      { name: 'b', running: 0, is_paused: true },
      { name: 'c', running: 1, is_paused: false },
    ])
    const result = await whileDrained(settings, async () => {
      expect(workers).toMatchObject([0, 0, 0].map((running) => ({ running, is_paused: true })))
      calls.push('deploy')
      return 'deployed'
    })
    expect(result).toBe('deployed')
    const pauses = ['/queue/worker/pause a', '/queue/worker/pause c']
    expect(calls).toEqual([...pauses, 'deploy', '/queue/worker/resume a', '/queue/worker/resume c'])
    expect(saved).toEqual([['a', 'c'], []])
    expect(lines).toContain('queue: waiting for 4 running requests')
  })

  test('resumes the workers if the deployment fails', async () => {
    const { workers, settings } = await queueOf([{ name: 'a', running: 0, is_paused: false }])
    const failing = whileDrained(settings, async () => {
      throw new Error('upload failed')
    })
    await expect(failing).rejects.toThrow('upload failed')
    expect(workers).toMatchObject([{ is_paused: false }])
  })

  test('stops without deploying if requests do not end in time, and resumes the workers', async () => {
    const { workers, settings } = await queueOf([{ name: 'a', running: 1_000_000, is_paused: false }])
    const late = whileDrained({ ...settings, timeoutMs: 0 }, async () => expect.unreachable())
    await expect(late).rejects.toThrow('requests still run after 0 s')
    expect(workers).toMatchObject([{ is_paused: false }])
  })

  test('resumes the workers that an interrupted deployment has paused, also if one was deleted since', async () => {
    const { workers, saved, settings } = await queueOf([{ name: 'a', running: 0, is_paused: true }])
    await whileDrained({ ...settings, paused: ['a', 'gone'] }, async () => undefined)
    expect(workers).toMatchObject([{ is_paused: false }])
    expect(saved.at(-1)).toEqual([])
  })
})

test.each([
  [['https://gateway.mine.workers.dev', 'schedule: * * * * *'], 'https://gateway.mine.workers.dev'],
  [['schedule: * * * * *', 'api.example.com (custom domain)'], 'https://api.example.com'],
  [['api.example.com/* (zone name: example.com)'], 'https://api.example.com'],
  [['schedule: * * * * *'], undefined],
])('the address in the targets %j', (targets, address) => {
  expect(addressIn(targets)).toBe(address)
})
