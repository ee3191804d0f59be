// npm run client: writes the types of src/client from docs/openapi.json, and the package into .build/client.
import { readFileSync } from 'node:fs'
import { generate } from './client/generate.ts'
import { writeGenerated } from './client/write.ts'

writeGenerated(generate(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))))
