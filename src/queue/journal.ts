/** What was leased and what was done since the table was last brought up to date. */
export const createJournal = 'CREATE TABLE journal (n INTEGER PRIMARY KEY, entry TEXT NOT NULL)'

/** What was written down in one step: when, in milliseconds; which tasks were done by then, with the status of the answer; which were leased. */
export type JournalEntry = [at: number, done: [task: number, status: number][], leased: number[]]

export function append(sql: SqlStorage, entry: JournalEntry): void {
  sql.exec('INSERT INTO journal (entry) VALUES (?)', JSON.stringify(entry))
}

/** All entries in their order. */
export const readJournal = (sql: SqlStorage): JournalEntry[] =>
  sql
    .exec<{ entry: string }>('SELECT entry FROM journal ORDER BY n')
    .toArray()
    .map(({ entry }) => JSON.parse(entry) as JournalEntry)

export function clearJournal(sql: SqlStorage): void {
  sql.exec('DELETE FROM journal')
}
