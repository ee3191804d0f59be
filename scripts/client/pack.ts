// Builds the npm package of the client with esbuild and tsc.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'

const source = 'src/client'

/** The npm dependency that is bundled into the package, so that the client has none. */
const bundled = 'eventsource-parser'

const built = {
  entryPoints: [`${source}/index.ts`],
  bundle: true,
  format: 'esm',
  target: 'es2022',
} satisfies BuildOptions

/** Builds the package into an empty folder. The returned `bytes` is the size of its code, minified and compressed. */
export async function pack(folder: string): Promise<{ bytes: number }> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({ ...built, outfile: `${folder}/index.js` })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', source, '--outDir', resolve(folder)], {
    stdio: 'inherit',
  })
  for (const file of ['package.json', 'README.md']) cpSync(`${source}/${file}`, `${folder}/${file}`)
  const licences = ['LICENSE', `node_modules/${bundled}/LICENSE`].map((file) => readFileSync(file, 'utf8').trim())
  writeFileSync(`${folder}/LICENSE`, `${licences.join(`\n\n---\n\nIncludes ${bundled}:\n\n`)}\n`)
  const { outputFiles } = await build({ ...built, minify: true, write: false })
  return { bytes: gzipSync(outputFiles[0]!.contents, { level: 9 }).length }
}
