// Benchmark of the typeahead search: its operations, and a comparison with other search engines.
import { compareSearch } from './search/compare.ts'
import { operationsOf, prepareOf } from './search/operations.ts'

export const operations = operationsOf('typeahead')
export const prepare = prepareOf('typeahead')
export const compare = (origin: string, seconds: number) => compareSearch('typeahead', origin, seconds)
