// The Worker that times searches inside of durable objects, for the search benchmark.
import { Hono } from 'hono'
import type { SearchObject } from './engine.ts'
import { Fts5 } from './fts5.ts'
import { Ours } from './ours.ts'

export { Fts5, Ours }

interface Env {
  OURS: DurableObjectNamespace<Ours>
  FTS5: DurableObjectNamespace<Fts5>
}

const objectOf = (env: Env, name: string): DurableObjectStub<SearchObject> =>
  name === 'ours' ? env.OURS.getByName('one') : env.FTS5.getByName('one')

export default new Hono<{ Bindings: Env }>()
  .post('/:engine/:variant/documents', async (c) => {
    const { engine, variant } = c.req.param()
    await objectOf(c.env, engine).put(variant, await c.req.json())
    return c.json({})
  })
  .post('/:engine/:variant/search/:kind', async (c) => {
    const { engine, variant, kind } = c.req.param()
    return c.json(await objectOf(c.env, engine).searchEach(variant, kind, await c.req.json()))
  })
  .get('/:engine/size', async (c) => c.json(await objectOf(c.env, c.req.param('engine')).size()))
