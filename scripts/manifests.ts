// npm run manifests: writes the files that repeat a part of the manifests.
import { writeDerived } from './lib/derived.ts'

const changed = writeDerived()
console.log(changed.length > 0 ? `Written: ${changed.join(', ')}` : 'All files are as the manifests say')
