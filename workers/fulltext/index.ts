// The Worker of the full-text search: the API and durable objects of `src/search`, which the Worker `typeahead` runs
// too. Every minute it completes interrupted creations and deletions of indexes.
import { withPersonalData, worker } from '#core/http/worker'
import { search } from '#search/index'
import { finishPendingIndexes } from '#search/indexes'
import { personalData } from '#search/person'

export { Meter } from '#core/metrics/meter'
export { Catalog } from '#search/catalog'
export { Coordinator as Head } from '#search/coordinator'
export { Shard } from '#search/shard'
export default worker<FulltextEnv>(withPersonalData(search('fulltext'), personalData), finishPendingIndexes)
