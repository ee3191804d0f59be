import { createPages } from './pages.ts'

/**
 * The tables of an index, for `migrate`. A document whose code is null is removed, and is kept until the segment is written
 * that counts its words against those of the others; `dead` are the rows of segments that are removed, until they are merged.
 */
export const createTables = `
  CREATE TABLE documents (
    row INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE, seq INTEGER NOT NULL, title TEXT, text TEXT NOT NULL
  );
  CREATE TABLE segments (id INTEGER PRIMARY KEY AUTOINCREMENT, place INTEGER NOT NULL, postings INTEGER NOT NULL);
  CREATE TABLE dead (row INTEGER PRIMARY KEY);
  ${createPages};
`
