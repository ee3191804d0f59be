// Splits a SQL dump into statements, so that `npm run move` can import it.
import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

const chunkBytes = 1_000_000

/**
 * Yields the statements of a dump one by one, because a dump may be larger than memory. A statement ends with `;` at
 * the end of a line, outside of a string.
 */
export function* statementsIn(file: string): Generator<string> {
  let pending = ''
  let from = 0
  let isInText = false
  for (const chunk of chunksOf(file)) {
    pending += chunk
    for (let end = pending.indexOf(';\n', from); end >= 0; end = pending.indexOf(';\n', from)) {
      // Counts quotes to know whether a position is inside a string. A quote inside a string is doubled, so it does not
      // change the parity.
      for (let at = pending.indexOf("'", from); at >= 0 && at < end; at = pending.indexOf("'", at + 1))
        isInText = !isInText
      from = end + 1
      if (isInText) continue
      yield pending.slice(0, from)
      pending = pending.slice(from)
      from = 0
    }
  }
  yield pending
}

function* chunksOf(file: string): Generator<string> {
  const opened = openSync(file, 'r')
  const decoder = new StringDecoder('utf8')
  const bytes = Buffer.alloc(chunkBytes)
  try {
    for (let read = readSync(opened, bytes); read > 0; read = readSync(opened, bytes))
      yield decoder.write(bytes.subarray(0, read))
  } finally {
    closeSync(opened)
  }
}
