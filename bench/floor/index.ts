// The bare Worker of the benchmarks: each path makes one call of storage and nothing else.
import { DurableObject } from 'cloudflare:workers'
import { Hono } from 'hono'

interface Env {
  DB: D1Database
  ROW: DurableObjectNamespace<Row>
  FILES: R2Bucket
}

/** A durable object that stores one row. */
export class Row extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT)')
  }

  add(text: string) {
    this.#sql.exec('INSERT INTO rows (text) VALUES (?)', text)
  }
}

export default new Hono<{ Bindings: Env }>()
  .all('/none', (c) => c.json({ status: true }))
  .all('/read', async (c) => c.json({ status: true, content: await c.env.DB.prepare('SELECT 1 AS one').first() }))
  .all('/write', async (c) => {
    await c.env.DB.prepare('INSERT INTO rows (text) VALUES (?)').bind('x').run()
    return c.json({ status: true })
  })
  .all('/object', async (c) => {
    await c.env.ROW.getByName('one').add('x')
    return c.json({ status: true })
  })
  .post('/file', async (c) => {
    await c.env.FILES.put('one', c.req.raw.body)
    return c.json({ status: true })
  })
  .get('/file', async (c) => new Response((await c.env.FILES.get('one'))!.body))
