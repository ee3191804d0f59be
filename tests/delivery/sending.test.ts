import { describe, expect, it } from 'vitest'
import { deliveries, ledgerOf, show, start } from './support.ts'

describe.each(deliveries())('a delivery on $dialect', (tested) => {
  const { queue, channels } = tested

  it('sends to each recipient by each channel, once', async () => {
    const { id, status, progress } = await start(tested)
    expect([status, progress]).toEqual(['started', 0])
    const ledger = await ledgerOf(tested, id)
    await queue.run(tested, ledger)
    const shown = await show(tested, id)
    console.log(JSON.stringify(shown))
    expect(shown).toMatchObject({ status: 'finished', progress: 1 })
    expect(channels.email.sent.length).toBe(20)
  })
})
