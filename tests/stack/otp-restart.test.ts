import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../scripts/stack/port.ts'
import { askJson } from './http.ts'
import { type Run, started } from './processes.ts'
import { temporary } from './stack.ts'

let stateDir: string
let port: number
let run: Run

beforeAll(async () => {
  stateDir = temporary()
  port = await freePort(0)
})

afterAll(async () => {
  process.kill(-run.child.pid!, 'SIGKILL')
  await run.ended
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

const otp = (method: string, path: string, params: object) =>
  askJson(`http://localhost:${port}/otp${path}`, method, params)

const send = (phone: string, password: string, ip: string) =>
  otp('POST', '/sms', { phone, password, lifetime: 3_600, message: 'Your code', ip })

const check = (phone: string, password: string) => otp('GET', '/sms/check', { phone, password })

const sent = { status: 200, body: { status: true } }
const refused = (status_code: string) => ({ status: 429, body: { status: false, status_code } })
const wrong = (status_code: string) => ({ status: 200, body: { status: false, status_code } })

const [phone, ip] = ['77011234567', '203.0.113.7']

async function restart() {
  process.kill(-run.child.pid!, 'SIGKILL')
  await run.ended
  run = await started(stateDir, port)
}

it('neither sends more nor looks at more passwords than is allowed, though everything is killed', {
  timeout: 180_000,
}, async () => {
  run = await started(stateDir, port)
  const rules = [{ minutes: 60, rate: 5 }]
  expect(await otp('POST', '/limit/sms', { ips: rules, phones: rules })).toEqual(sent)
  for (let i = 0; i < 3; i++) expect(await send(phone, `code ${i}`, ip)).toEqual(sent)
  expect(await check(phone, 'code 0')).toEqual(sent)
  for (let i = 0; i < 3; i++) expect(await check(phone, 'wrong')).toMatchObject(wrong('wrong_password'))

  await restart()
  for (let i = 3; i < 5; i++) expect(await send(phone, `code ${i}`, ip)).toEqual(sent)
  expect(await send(phone, 'code 5', '203.0.113.8')).toMatchObject(refused('phone_limit'))
  expect(await send('77011234568', 'code 5', ip)).toMatchObject(refused('ip_limit'))
  expect(await check(phone, 'code 0')).toMatchObject(wrong('wrong_password'))
  expect(await check(phone, 'code 1')).toEqual(sent)
  expect(await check(phone, 'wrong')).toMatchObject(wrong('wrong_password'))
  expect(await check(phone, 'code 2')).toMatchObject(wrong('attempts_exceeded'))

  await restart()
  expect(await send(phone, 'code 6', '203.0.113.8')).toMatchObject(refused('phone_limit'))
  expect(await send('77011234568', 'code 6', ip)).toMatchObject(refused('ip_limit'))
  expect(await check(phone, 'code 2')).toMatchObject(wrong('attempts_exceeded'))
})
