// Operations of fulltext and typeahead in the load of a soak test.
import type { ComponentMix, SoakOperation, SoakWorld } from './operation.ts'

const index = 'soak'
const documents = 2_000

const words = 'river market running mountain city engine garden winter summer window paper music colour bridge harbour station village journey letter teacher science history kitchen animal doctor forest planet stone candle silver copper ocean island desert valley castle farmer painter singer writer football cinema theatre museum library university hospital airport railway'.split(' ') // biome-ignore format: one line

const wordOf = ({ random }: SoakWorld) => words[random.between(0, words.length - 1)]!

const textOf = (world: SoakWorld, length: number) => Array.from({ length }, () => wordOf(world)).join(' ')

const codeOf = ({ random }: SoakWorld) => `d${random.between(1, documents)}`

const fulltextDocument = (world: SoakWorld) => ({
  code: codeOf(world),
  title: textOf(world, 4),
  text: textOf(world, world.random.between(10, 80)),
})

const typeaheadDocument = (world: SoakWorld) => ({
  code: codeOf(world),
  text: textOf(world, world.random.between(1, 4)),
})

type Document = (world: SoakWorld) => object

const writes = (component: string, document: Document): SoakOperation[] => [
  {
    name: `${component}: write a document`,
    weight: 4,
    run: async (world) => {
      await world.ask('POST', `/${component}/document`, { body: { index, ...document(world) } })
    },
  },
  {
    name: `${component}: write fifty at once`,
    weight: 0.5,
    run: async (world) => {
      const written = Array.from({ length: 50 }, () => document(world))
      await world.ask('POST', `/${component}/documents`, { body: { index, documents: written } })
    },
  },
  {
    name: `${component}: delete a document`,
    weight: 0.5,
    run: async (world) => {
      const one = document(world) as { code: string }
      await world.ask('POST', `/${component}/document`, { body: { index, ...one } })
      // A reply with 404 is allowed, since another operation may have deleted the document.
      await world.ask('DELETE', `/${component}/document?index=${index}&code=${one.code}`, { but: 404 })
    },
  },
]

const prepared = (component: string, document: Document, settings: object) => async (world: SoakWorld) => {
  await world.ask('POST', `/${component}/index`, { body: { name: index, ...settings } })
  for (let n = 0; n < 4; n++) {
    const batch = Array.from({ length: 250 }, () => document(world))
    await world.ask('POST', `/${component}/documents`, { body: { index, documents: batch } })
  }
}

export const fulltext: ComponentMix = {
  prepare: prepared('fulltext', fulltextDocument, { stemmer: 'english', stopwords: 'english', shards: 2 }),
  operations: [
    ...writes('fulltext', fulltextDocument),
    {
      name: 'fulltext: search',
      weight: 6,
      run: async (world) => {
        const search = encodeURIComponent(textOf(world, world.random.between(1, 4)))
        await world.ask('GET', `/fulltext/documents?index=${index}&search=${search}&highlight=true&count=true`)
      },
    },
  ],
}

export const typeahead: ComponentMix = {
  prepare: prepared('typeahead', typeaheadDocument, {}),
  operations: [
    ...writes('typeahead', typeaheadDocument),
    {
      name: 'typeahead: a word, letter by letter',
      weight: 4,
      run: async (world) => {
        const word = wordOf(world)
        for (let length = 1; length <= Math.min(5, word.length); length++)
          await world.ask('GET', `/typeahead/documents?index=${index}&search=${word.slice(0, length)}&size=10`)
      },
    },
  ],
}
