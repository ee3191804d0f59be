// Sends random requests to the SMS gateway: each must get a valid reply of the API, never a 500.
import { describe } from 'vitest'
import { sms } from '#sms/index'
import Sms from '../../workers/sms/index.ts'
import { onDatabases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'

describe.each(onDatabases(Sms))('the gateway on $dialect', ({ fetch }) => {
  fuzz(fetch, sms, {
    phones: ['77011234567', '+7 701 1234567,77011234568', ['77011234567', '77011234568']],
    phone: ['77011234567', '+7 701 1234568'],
    message: ['Hello', 'Привет', '€'.repeat(100)],
    force: [true, false],
    provider: ['provider_a'],
    state: ['sent', 'blacklisted'],
    kind: ['sms', 'call'],
    id: [1, 2],
    limit: [1, 1000],
    count: [true],
  })
})
