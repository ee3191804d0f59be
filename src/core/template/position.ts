import { Token } from 'liquidjs'

// Replaces LiquidJS's slow computation of a token's line and column by a binary search.

/** Line and column of an offset, both from 1, by binary search in the starts of lines. */
function positionIn(text: string, offset: number): [line: number, column: number] {
  if (text !== latest.text) latest = { text, starts: lineStarts(text) }
  const { starts } = latest
  let [first, end] = [0, starts.length]
  while (end - first > 1) {
    const middle = (first + end) >> 1
    if (starts[middle]! <= offset) first = middle
    else end = middle
  }
  return [first + 1, offset - starts[first]! + 1]
}

/** The line starts of the text that was asked for last, cached, since many tokens of one template follow each other. */
let latest = { text: '', starts: [0] }

const lineStarts = (text: string) => [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]

/**
 * Replaces LiquidJS's `getPosition`, which scans all characters before a token. LiquidJS calls it for every variable,
 * so a template with thousands of variables would take minutes.
 */
export function patchTokenPositions(): void {
  Token.prototype.getPosition = function (this: Token) {
    return positionIn(this.input, this.begin)
  }
}
