import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '#search/bindings'
import { writeDocuments } from '#search/documents'
import { createIndex } from '#search/indexes'
import { personalData } from '#search/person'
import { personsIn } from '../support/person.ts'

const bound = env as unknown as Env

it('erases and exports documents whose code is an identifier of the person, in every index', async () => {
  const { erase, read } = personsIn(personalData, bound)
  const names = Array.from({ length: 12 }, (_, n) => `person_${n}`)
  for (const name of names) {
    await createIndex(bound, 'fulltext', { name, shards: 1 })
    await writeDocuments(bound, name, [
      { code: 'ann', title: 'Ann', text: 'Profile' },
      { code: 'bob', title: 'ann', text: 'ann' },
    ] as never)
  }

  expect((await read({ user: 'ann' })).map(({ row }) => row.index).toSorted()).toEqual(names.toSorted())
  expect(await erase({ user: 'ann', phone: '77011234567' })).toEqual({ documents: 12 })

  expect(await read({ user: 'ann' })).toEqual([])
  expect(await read({ user: 'bob' })).toHaveLength(12)
})
