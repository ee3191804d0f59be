// npm run quality: measures the ranking of the full-text search with the Cranfield collection, which is not part of the
// repository. QUALITY_DATA is the folder that contains cranfield/.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { verdict } from './lib/verdict.ts'
import { type Collection, readCollection } from './quality/collection.ts'
import { qualityOf } from './quality/measures.ts'
import { rank } from './quality/search.ts'
import { components } from './stack/components.ts'
import { startStack } from './stack/stack.ts'

const goal = { map: 0.31, ndcg10: 0.385 }

const folder = resolve(process.env.QUALITY_DATA ?? '../shared/data', 'cranfield')
const collection = readCollection(folder)
if (collection) await report(collection)
else console.log(`There is no collection in ${folder}: nothing is measured`)

async function report(collection: Collection) {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-quality-'))
  const stack = await startStack({
    port: 0,
    stateDir,
    components: components().filter(({ name }) => name === 'fulltext'),
    direct: ['fulltext'],
    log: () => undefined,
  })
  try {
    const whole = await rank(stack.origins.fulltext!, collection, 1)
    const { map, ndcg10 } = qualityOf(whole)
    console.log(`${collection.documents.length} documents, ${collection.topics.length} queries`)
    console.log(`MAP      ${map.toFixed(4)}  ${verdict(map >= goal.map, goal.map.toFixed(3))}`)
    console.log(`nDCG@10  ${ndcg10.toFixed(4)}  ${verdict(ndcg10 >= goal.ndcg10, goal.ndcg10.toFixed(3))}`)
    const halves = await rank(stack.origins.fulltext!, collection, 2)
    console.log(verdict(isDeepStrictEqual(halves, whole), 'the same ranking by two shards'))
  } finally {
    await stack.dispose()
    await rm(stateDir, { recursive: true })
  }
}
