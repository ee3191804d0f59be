// npm run client: generates the types of src/client from docs/openapi.json, and builds the package into .build/client.
import { readFileSync } from 'node:fs'
import { generate } from './client/generate.ts'
import { pack } from './client/pack.ts'
import { writeGenerated } from './client/write.ts'

const folder = '.build/client'

writeGenerated(generate(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))))
const { bytes } = await pack(folder)
console.log(`${folder}: index.js has ${bytes} bytes, minified and compressed`)
