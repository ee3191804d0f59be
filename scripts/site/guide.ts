import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { layout } from './guide/layout.ts'
import { readPages } from './guide/pages.ts'
import { render } from './guide/render.ts'

/** Renders the pages of `docs/` into a folder, as HTML without scripts, and copies the files that they use. */
export async function buildGuide(to: string): Promise<void> {
  const groups = readPages()
  const pages = groups.flatMap((group) => group.pages)
  await mkdir(to, { recursive: true })
  await cp(join(import.meta.dirname, 'guide/guide.css'), join(to, 'guide.css'))
  await Promise.all(
    pages.map(async (page, at) => {
      const rendered = render(page, pages)
      const html = layout({ page, groups, rendered, previous: pages[at - 1], next: pages[at + 1] })
      await writeFile(join(to, `${page.name}.html`), html)
      await Promise.all(rendered.files.map((file) => copy(file, to)))
    }),
  )
}

/** Copies a file of `docs/` to the folder of the pages. */
async function copy(file: string, to: string): Promise<void> {
  const target = join(to, file.replace(/^docs\//, ''))
  await mkdir(dirname(target), { recursive: true })
  await cp(file, target)
}
