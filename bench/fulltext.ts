// Benchmark of the full-text search: its operations, and a comparison with other search engines.
import { compareSearch } from './search/compare.ts'
import { operationsOf, prepareOf } from './search/operations.ts'

export const operations = operationsOf('fulltext')
export const prepare = prepareOf('fulltext')
export const compare = (origin: string, seconds: number) => compareSearch('fulltext', origin, seconds)
