import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marked } from 'marked'

/** Renders the pages of `docs/` into a folder. */
export async function buildGuide(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'index.html'), await marked(await readFile('docs/pdf.md', 'utf8')))
}
