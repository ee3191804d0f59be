/** What was leased and what was done since the table was last brought up to date. */
export const createJournal = 'CREATE TABLE journal (n INTEGER PRIMARY KEY, entry TEXT NOT NULL)'

/** What was written down in one step: when, in milliseconds; which tasks were done by then, with the status of the answer; which were leased. */
export type Entry = [at: number, done: [task: number, status: number][], leased: number[]]

export function append(sql: SqlStorage, entry: Entry): void {
  sql.exec('INSERT INTO journal (entry) VALUES (?)', JSON.stringify(entry))
}

/** All entries in their order. */
export const readJournal = (sql: SqlStorage): Entry[] =>
  sql
    .exec<{ entry: string }>('SELECT entry FROM journal ORDER BY n')
    .toArray()
    .map(({ entry }) => JSON.parse(entry) as Entry)

export function clearJournal(sql: SqlStorage): void {
  sql.exec('DELETE FROM journal')
}
