import { SqlDatabase } from '#core/objects/sql-database'
import init from '../../migrations/access/d1/0001_init.sql'

/** The durable object with the tables of `access`, unless they are in Postgres. */
export class AccessDatabase extends SqlDatabase {
  protected override readonly migrations = [init]
}
