// Writes the generated files of the API client to `src/client/api`.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/** Folder of the generated files. */
export const generatedIn = 'src/client/api'

/** Writes the generated files, by name, and deletes those of removed components. */
export function writeGenerated(files: Map<string, string>) {
  mkdirSync(generatedIn, { recursive: true })
  for (const file of globSync(`${generatedIn}/*.ts`)) if (!files.has(basename(file))) rmSync(file)
  for (const [name, text] of files) writeFileSync(`${generatedIn}/${name}`, text)
}
