// Tests the operations on outlets: list, pause, resume and probe.
import { describe, expect, it } from 'vitest'
import { sender, senderTo } from './support.ts'

const by = { name: 'default' }

describe('the list of outlets', () => {
  it('shows the server with its connections', async () => {
    const server = await senderTo()
    await server.send()
    const { status, json } = await server.ask('GET', '/outlets')
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        status: true,
        content: {
          outlets: [
            {
              ...{ name: 'default', host: '127.0.0.1', port: server.port, weight: 1 },
              ...{ circuit: 'closed', paused: false, failures: 0, retry_after: 0, rate: null },
              ...{ waiting: 0, connections: 1, max_connections: 6, last_error: null },
            },
          ],
        },
      },
    })
  })

  it('shows an open circuit with the last error, and a rate', async () => {
    const faults = [
      { at: 'MAIL', how: '451 4.3.2 not now' },
      ...Array(5).fill({ at: 'greeting', how: '554 5.3.0 ann@example.com' }),
    ]
    const server = await senderTo({ fault: faults })
    for (let n = 0; n < 6; n++) await server.send()
    const { json } = await server.ask('GET', '/outlets')
    expect(json.content).toMatchObject({
      outlets: [{ circuit: 'open', failures: 5, rate: 4, last_error: { step: 'greeting', code: 554 } }],
    })
    expect(JSON.stringify(json)).not.toContain('ann@')
  })

  it('shows all objects of a server as one, and a server without objects', async () => {
    const { port } = await senderTo()
    const SMTP_SERVERS = JSON.stringify([
      { host: '127.0.0.1', port, name: 'many', connections: 13 },
      { host: '127.0.0.1', port, name: 'none', connections: 0 },
    ])
    const { ask } = sender({ SMTP_SERVERS })
    expect((await ask('POST', '/outlet/pause', { name: 'many' })).json.content).toMatchObject({
      outlet: { name: 'many', paused: true, max_connections: 13 },
    })
    expect((await ask('GET', '/outlets')).json.content).toMatchObject({
      outlets: [
        { name: 'many', paused: true },
        { name: 'none', circuit: 'closed', paused: false, retry_after: 0 },
      ],
    })
    expect(await ask('POST', '/outlet/pause', { name: 'none' })).toMatchObject({ status: 400 })
  })
})

describe('a paused outlet', () => {
  it('gets no mail until it is resumed', async () => {
    const { ask, send, see } = await senderTo()
    expect((await ask('POST', '/outlet/pause', by)).json.content).toMatchObject({ outlet: { paused: true } })
    expect(await send()).toMatchObject({ status: 502, json: { content: { step: 'paused' } } })
    await ask('POST', '/outlet/probe', by)
    expect(await see()).toMatchObject({ connections: 0 })
    expect((await ask('POST', '/outlet/resume', by)).json.content).toMatchObject({ outlet: { paused: false } })
    expect(await send()).toMatchObject({ status: 201 })
  })
})

describe('a probe', () => {
  it('closes the circuit if the server answers, and shows the error otherwise', async () => {
    const server = await senderTo({ fault: Array(6).fill({ at: 'greeting', how: '554 no service' }) })
    for (let n = 0; n < 5; n++) await server.send()
    expect((await server.ask('POST', '/outlet/probe', by)).json.content).toMatchObject({
      outlet: { circuit: 'open', failures: 6, last_error: { step: 'greeting', code: 554, enhanced: null } },
    })
    expect((await server.ask('POST', '/outlet/probe', by)).json.content).toMatchObject({
      outlet: { circuit: 'closed', failures: 0 },
    })
    expect(await server.send()).toMatchObject({ status: 201 })
  })
})

describe.each(['pause', 'resume', 'probe'])('POST /outlet/%s', (verb) => {
  it('returns 404 if no server has the name', async () => {
    const { ask } = await senderTo()
    expect(await ask('POST', `/outlet/${verb}`, { name: 'other' })).toMatchObject({
      status: 404,
      json: { status_code: 'outlet_not_found' },
    })
  })
})
