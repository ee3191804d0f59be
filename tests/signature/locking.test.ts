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

  it.each([{}, { version: 0 }, { version: 1 }, { version: '1' }])('begin at 1 where %j is said', async (said) => {
    expect(await save({ document: fresh(), thread: 't', cms: attached, ...said })).toMatchObject({ version: 1 })
  })

  it('do not begin where another one is expected', async () => {
    const given = { document: fresh(), thread: 't', cms: attached }
    expect(await ask('POST', '/signature', { ...given, version: 2 })).toMatchObject(conflict(0))
    expect(await ask('GET', '/signature', given)).toMatchObject({ status: 404 })
  })

  it('go on from the newest alone', async () => {
    const given = { document: fresh(), thread: 't', cms: attached }
    for (const version of [0, 1, 2]) await save({ ...given, version, version_comment: version })
    for (const version of [undefined, 0, 1, 2, 4, 2 ** 40])
      expect(await ask('POST', '/signature', { ...given, version, tags: ['lost'] })).toMatchObject(conflict(3))
    expect(await read(given)).toMatchObject({ version: 3, version_comment: '2', tags: [] })
    expect((await list({ tags: ['lost'] })).signatures).toEqual([])
  })

  it('of the same document in different threads, and of different documents, are apart', async () => {
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

  it.each([0, 1, 2, 7])('that %i saves begin or follow at once have one winner', async (newest) => {
    const given = { document: fresh(), thread: 't', cms: attached }
    for (let version = 0; version < newest; version++) await save({ ...given, version })
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) =>
        ask('POST', '/signature', { ...given, version: newest, tags: [`tag${n}`, 'same'], version_comment: n }),
      ),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201)).toMatchObject(Array(many - 1).fill(conflict(newest + 1)))
    const { signature: winner }: { signature: Signature } = won[0]!.json.content!
    expect(await read(given)).toEqual(winner)
    expect((await list({ document: given.document, tags: ['same'], count: true })).nb_results).toBe(1)
    const [own, others] = [winner.tags[0]!, Array.from({ length: many }, (_, n) => `tag${n}`)]
    expect((await list({ document: given.document, tags: others })).signatures).toMatchObject([{ tags: [own, 'same'] }])
    expect((await list({ document: given.document, tags: others.filter((tag) => tag !== own) })).signatures).toEqual([])
    expect(await versions(given)).toHaveLength(newest + 1)
  })

  it('that are saved while their record is deleted again and again leave nothing behind', async () => {
    const named = { document: fresh(), thread: 't' }
    const given = { ...named, cms: attached, tags: ['once'] }
    const work = Array.from({ length: 40 }, (_, n) =>
      n % 4 === 3 ? ask('DELETE', '/signature', named) : ask('POST', '/signature', { ...given, version: n % 4 }),
    )
    for (const { status } of await Promise.all(work)) expect([200, 201, 404, 409]).toContain(status)
    await ask('DELETE', '/signature', named)
    expect((await list({ document: given.document, count: true })).nb_results).toBe(0)
    expect((await list({ document: given.document, tags: ['once'], count: true })).nb_results).toBe(0)
    expect(await save(given)).toMatchObject({ version: 1 })
    expect(await versions(given)).toHaveLength(1)
  })
})
