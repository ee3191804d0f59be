import { worker } from '#core/http/worker'
import { search } from '#search/index'
import { settleIndexes } from '#search/indexes'

export { Meter } from '#core/metrics/meter'
export { Catalog } from '#search/catalog'
export { Head } from '#search/head'
export { Shard } from '#search/shard'
export default worker<FulltextEnv>(search('fulltext'), settleIndexes)
