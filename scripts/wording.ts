// npm run wording [-- words]: lists phrases and names that are not plain English; with words, those whose line contains all of them.
import { checkWording } from './wording/check.ts'

const words = process.argv.slice(2)
const { findings, unneeded } = checkWording()
const lines = findings
  .map(({ file, line, found, context, better }) => `${file}:${line} "${found}" in "${context}": ${better}`)
  .filter((line) => words.every((word) => line.includes(word)))
for (const line of lines) console.log(line)
for (const exception of unneeded) console.log(`The exception is not needed any more: ${exception}`)
console.log(`${lines.length} findings`)
process.exitCode = lines.length + unneeded.length === 0 ? 0 : 1
