// Tests which tasks get a service token: those that components create for URLs of this deployment.
import { describe, expect, it } from 'vitest'
import type { Credential } from '#core/access/credential'
import { NewTask } from '#queue/contract'
import { checkServiceCaller, taskRecordOf } from '#queue/task-record'
import { sendRequest } from '#queue/task-request'

const caller = (kind: Credential['kind']): Credential => ({ kind, id: 'one', scopes: ['*'], bounds: {} })

describe('a task with `service`', () => {
  it.each(['key', 'token'] as const)('is refused to a %s, also with all scopes', (kind) => {
    expect(() => checkServiceCaller(caller(kind), undefined)).toThrow('Only components')
  })

  it.each(['root', 'service', 'none'] as const)('is allowed to the caller %s', (kind) => {
    expect(() => checkServiceCaller(caller(kind), undefined)).not.toThrow()
  })

  it('is refused with a schedule, which would outlive the rights of its creator', () => {
    expect(() => checkServiceCaller(caller('root'), 'nightly')).toThrow()
  })

  const env = { BASE_URL: 'https://api.example.com', QUEUE_SECRET: 'a secret of the queue for this test' }
  const recordOf = (url: string, more: object = {}) =>
    taskRecordOf({ ...env, ...more }, NewTask.parse({ worker: 'default', url, service: 'sms' }))

  it('may call only URLs of that component', async () => {
    expect(await recordOf('https://api.example.com/sms/sms')).toMatchObject({ is_sealed: 1, headers: null })
    for (const url of [
      'https://api.example.com/queue/task',
      'https://api.example.com/sms',
      'https://api.example.com/sms/../queue/task',
      'https://api.example.com/smsx/sms',
      'https://api.example.com.evil.example/sms/sms',
      'https://user@api.example.com/sms/sms',
    ])
      await expect(recordOf(url)).rejects.toMatchObject({ status: 400 })
    await expect(
      recordOf('https://sms.elsewhere.example/sms', { SMS_URL: 'https://sms.elsewhere.example' }),
    ).rejects.toMatchObject({ status: 400 })
  })

  it.each([
    { BASE_URL: 'https://new.example.com' },
    { BASE_URL: '' },
    { SMS_URL: 'https://sms.elsewhere.example' },
    { SMS_TOKEN: 'of another deployment' },
  ])('is not sent, and fails as moved, after the address of the component was changed: %j', async (changed) => {
    const { sealed } = await recordOf('https://api.example.com/sms/sms')
    const request = {
      ...{ id: 'one', attempt: 1, method: 'POST', url: 'https://api.example.com/sms/sms', timeout: 1_000 },
      piece: null,
    }
    const payload = { headers: null, json: null, body: null, sealed, request_id: null }
    const outcome = await sendRequest({ ...env, ...changed }, { ...request, ...payload })
    expect(outcome).toMatchObject({ status: null, error: 'moved' })
  })
})
