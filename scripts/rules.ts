// npm run rules [-- words]: lists violations of the architecture rules by rule and folder. With words, only those that contain
// all of them.
import { checkRules } from './rules/check.ts'
import { readFiles, unitOf } from './rules/tree.ts'

const words = process.argv.slice(2)
const { violations, unneeded } = checkRules(readFiles())

const selected = violations.filter(({ rule, file, detail }) =>
  words.every((word) => `${rule} ${file} ${detail}`.includes(word)),
)
for (const [rule, found] of Map.groupBy(selected, ({ rule }) => rule)) {
  console.log(`\n${rule} (${found.length})`)
  for (const [unit, same] of Map.groupBy(found, ({ file }) => unitOf(file))) {
    console.log(`  ${unit} (${same.length})`)
    for (const { file, line, detail } of same) console.log(`    ${file}:${line} ${detail}`)
  }
}
for (const exception of unneeded) console.log(`\nThe exception is not needed any more: ${exception}`)
console.log(`\n${selected.length} violations`)
process.exitCode = selected.length + unneeded.length === 0 ? 0 : 1
