import { describe, expect, it } from 'vitest'
import { personalData } from '#signature/person'
import { databases } from '../support/databases.ts'
import { personsIn } from '../support/person.ts'
import { attached } from './samples.ts'
import { fresh, on, signaturesOn } from './support.ts'

describe.each(databases)('a person in the signatures on $dialect', (database) => {
  const { env, save, versions } = signaturesOn(on(database))
  const { erase, read } = personsIn(personalData, env)

  it('is replaced as the author of versions, whose signed data is kept', async () => {
    const [ann, document] = [fresh(), fresh()]
    await save({ document, thread: 't', cms: attached, version_created_by: ann })
    await save({ document, thread: 't', cms: attached, version: 1, version_created_by: 'bob' })

    expect(await read({ user: ann })).toMatchObject([
      { place: 'versions', row: { version: 1, version_created_by: ann } },
    ])
    expect(await erase({ user: ann })).toEqual({ versions: 1 })

    const authors = (await versions({ document, thread: 't' })) as unknown as { version_created_by: string }[]
    expect(authors.map(({ version_created_by }) => version_created_by).toSorted()).toEqual(['bob', 'erased'])
    expect(await erase({ user: ann })).toEqual({})
  })
})
