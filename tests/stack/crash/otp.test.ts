// Tests that the limits of one-time passwords hold although all processes are killed.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Victim, victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { askJson } from '../http.ts'
import { temporary } from '../stack.ts'

let stateDir: string
let victim: Victim

beforeAll(async () => {
  stateDir = temporary()
  const components = ['otp', 'queue', 'sms']
  victim = victimOf({ components, port: await freePort(0), stateDir, variables: {} })
})

afterAll(async () => {
  await victim.end()
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

const otp = (method: string, path: string, params: object) => askJson(`${victim.url}/otp${path}`, method, params)

const send = (phone: string, password: string, ip: string) =>
  otp('POST', '/sms', { phone, password, lifetime: 3_600, message: 'Your code', ip })

const check = (phone: string, password: string) => otp('GET', '/sms/check', { phone, password })

const sent = { status: 200, body: { status: true } }
const refused = (status_code: string) => ({ status: 429, body: { status: false, status_code } })
const failedCheck = (status_code: string) => ({ status: 200, body: { status: false, status_code } })

const [phone, ip] = ['77011234567', '203.0.113.7']

it('exceeds neither the limit of sends nor that of checks, although all processes are killed', {
  timeout: 900_000,
}, async () => {
  await victim.start()
  const rules = [{ minutes: 60, rate: 5 }]
  expect(await otp('POST', '/limit/sms', { ips: rules, phones: rules })).toEqual(sent)
  for (let i = 0; i < 3; i++) expect(await send(phone, `code ${i}`, ip)).toEqual(sent)
  expect(await check(phone, 'code 0')).toEqual(sent)
  for (let i = 0; i < 3; i++) expect(await check(phone, 'failedCheck')).toMatchObject(failedCheck('wrong_password'))

  await victim.kill()
  await victim.start()
  for (let i = 3; i < 5; i++) expect(await send(phone, `code ${i}`, ip)).toEqual(sent)
  expect(await send(phone, 'code 5', '203.0.113.8')).toMatchObject(refused('phone_limit'))
  expect(await send('77011234568', 'code 5', ip)).toMatchObject(refused('ip_limit'))
  expect(await check(phone, 'code 0')).toMatchObject(failedCheck('already_used'))
  for (let i = 0; i < 2; i++) expect(await check(phone, 'failedCheck')).toMatchObject(failedCheck('wrong_password'))
  expect(await check(phone, 'code 1')).toMatchObject(failedCheck('attempts_exceeded'))

  await victim.kill()
  await victim.start()
  expect(await send(phone, 'code 6', '203.0.113.8')).toMatchObject(refused('phone_limit'))
  expect(await send('77011234568', 'code 6', ip)).toMatchObject(refused('ip_limit'))
  expect(await check(phone, 'code 2')).toMatchObject(failedCheck('attempts_exceeded'))
})
