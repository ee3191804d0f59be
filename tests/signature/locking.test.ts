// Tests the optimistic locking of versions, also with concurrent saves.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { attached, detached } from './samples.ts'
import { fresh, on, type Signature, signaturesOn } from './support.ts'

const many = 50

describe.each(databases)('versions on $dialect', (database) => {
  const { ask, save, read, list, versions } = signaturesOn(on(database))

  const conflict = (version: number) => ({
    status: 409,
    json: {
      status: false,
      status_code: 'version_conflict',
      message: expect.stringContaining(version === 0 ? 'No version is stored yet' : `The newest version is ${version}`),
      content: { version },
    },
  })

  it.each([{}, { version: 0 }, { version: 1 }, { version: '1' }])('begin at 1 with %j', async (said) => {
    expect(await save({ document: fresh(), thread: 't', cms: attached, ...said })).toMatchObject({ version: 1 })
  })

  it('do not begin if another version is expected', async () => {
    const fields = { document: fresh(), thread: 't', cms: attached }
    expect(await ask('POST', '/signature', { ...fields, version: 2 })).toMatchObject(conflict(0))
    expect(await ask('GET', '/signature', fields)).toMatchObject({ status: 404 })
  })

  it('follow only the newest version', async () => {
    const fields = { document: fresh(), thread: 't', cms: attached }
    for (const version of [0, 1, 2]) await save({ ...fields, version, version_comment: version })
    for (const version of [undefined, 0, 1, 2, 4, 2 ** 40])
      expect(await ask('POST', '/signature', { ...fields, version, tags: ['lost'] })).toMatchObject(conflict(3))
    expect(await read(fields)).toMatchObject({ version: 3, version_comment: '2', tags: [] })
    expect((await list({ tags: ['lost'] })).signatures).toEqual([])
  })

  it('are independent in different threads and documents', async () => {
    const [document, other] = [fresh(), fresh()]
    await save({ document, thread: 't', cms: attached })
    for (const one of [
      { document, thread: 'T' },
      { document, thread: 't ' },
      { document: other, thread: 't' },
    ]) {
      expect(await save({ ...one, cms: detached })).toMatchObject({ ...one, version: 1 })
    }
    expect(await read({ document, thread: 't' })).toMatchObject({ version: 1, signature: attached })
  })

  it.each([0, 1, 2, 7])('after %i have one winner of concurrent saves', async (newest) => {
    const fields = { document: fresh(), thread: 't', cms: attached }
    for (let version = 0; version < newest; version++) await save({ ...fields, version })
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) =>
        ask('POST', '/signature', { ...fields, version: newest, tags: [`tag${n}`, 'same'], version_comment: n }),
      ),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201)).toMatchObject(Array(many - 1).fill(conflict(newest + 1)))
    const { signature: winner }: { signature: Signature } = won[0]!.json.content!
    expect(await read(fields)).toEqual(winner)
    expect((await list({ document: fields.document, tags: ['same'], count: true })).nb_results).toBe(1)
    const [own, others] = [winner.tags[0]!, Array.from({ length: many }, (_, n) => `tag${n}`)]
    expect((await list({ document: fields.document, tags: others })).signatures).toMatchObject([
      { tags: [own, 'same'] },
    ])
    expect((await list({ document: fields.document, tags: others.filter((tag) => tag !== own) })).signatures).toEqual(
      [],
    )
    expect(await versions(fields)).toHaveLength(newest + 1)
  })

  it('that are saved while their record is deleted repeatedly leave nothing behind', async () => {
    const named = { document: fresh(), thread: 't' }
    const fields = { ...named, cms: attached, tags: ['once'] }
    const work = Array.from({ length: 40 }, (_, n) =>
      n % 4 === 3 ? ask('DELETE', '/signature', named) : ask('POST', '/signature', { ...fields, version: n % 4 }),
    )
    for (const { status } of await Promise.all(work)) expect([200, 201, 404, 409]).toContain(status)
    await ask('DELETE', '/signature', named)
    expect((await list({ document: fields.document, count: true })).nb_results).toBe(0)
    expect((await list({ document: fields.document, tags: ['once'], count: true })).nb_results).toBe(0)
    expect(await save(fields)).toMatchObject({ version: 1 })
    expect(await versions(fields)).toHaveLength(1)
  })
})
