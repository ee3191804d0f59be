// Tests the soak test itself (`npm run soak`) with runs of some seconds.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DOMParser } from '@xmldom/xmldom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mix } from '../../../scripts/soak/mix/mix.ts'
import { lastingPort } from '../../../scripts/stack/port.ts'
import { temporary } from '../stack.ts'

const folder = temporary()
const plot = join(folder, 'soak.svg')

afterAll(() => rm(folder, { recursive: true }))

interface Ended {
  code: number | string | null | undefined
  output: string
}

/** Runs `npm run soak` with these variables, to its end. */
const soak = (settings: Record<string, string>): Promise<Ended> =>
  new Promise((resolve) => {
    // Removes BASE_URL, which Vitest sets: components would take it for their public address.
    const { BASE_URL: _, ...own } = process.env
    const env = { ...own, SOAK_PLOT: plot, ...settings }
    execFile(process.execPath, ['scripts/soak.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    )
  })

describe('a run of some seconds', () => {
  let code: Ended['code']
  let output: string

  beforeAll(async () => {
    ;({ code, output } = await soak({ SOAK_SECONDS: '6', SOAK_RATE: '8' }))
  })

  it('passes', () => {
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Passed: no errors') })
  })

  it('runs every operation of every component', () => {
    const names = Object.values(mix).flatMap(({ operations }) => operations.map(({ name }) => name))
    const done = names.filter((name) => new RegExp(`^${name} +[1-9]\\d* +0 `, 'm').test(output))
    expect(done).toEqual(names)
  })

  it('draws latency, memory and rate, with a text alternative', () => {
    const errors: string[] = []
    const document = new DOMParser({ onError: (_, message) => errors.push(message) }).parseFromString(
      readFileSync(plot, 'utf8'),
      'image/svg+xml',
    )
    expect(errors).toEqual([])
    const textsOf = (name: string) => [...document.getElementsByTagName(name)].map(({ textContent }) => textContent)
    expect(document.documentElement?.localName).toBe('svg')
    expect(textsOf('title')).toEqual(['Soak of 6 s at 8 operations a second'])
    expect(textsOf('desc')[0]).toMatch(/Latency.*memory.*errors.*operations\.$/)
    expect(textsOf('text')).toEqual(expect.arrayContaining(['p50', 'p99', 'operations', 'errors']))
  })
})

it('fails if an operation fails', async () => {
  // An SMTP server at a port where nothing listens, so that emails fail.
  const down = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(await lastingPort()) }
  const { code, output } = await soak({ SOAK_SECONDS: '1', SOAK_RATE: '2', SOAK_ONLY: 'email', ...down })
  expect(output).toContain('email: send, and find it: POST /email/smtp answered 502 smtp_failed')
  expect(code).toBe(1)
})

it('rejects an unknown component', async () => {
  const { code, output } = await soak({ SOAK_ONLY: 'badge,weather' })
  expect(output).toContain('SOAK_ONLY has weather')
  expect(code).toBe(1)
})
