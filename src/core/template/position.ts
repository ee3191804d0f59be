import { Token } from 'liquidjs'

/** Line and column of a place in a text, both counted from 1. */
function positionIn(text: string, at: number): [line: number, column: number] {
  if (text !== latest.text) latest = { text, starts: lineStarts(text) }
  const { starts } = latest
  let [first, end] = [0, starts.length]
  while (end - first > 1) {
    const middle = (first + end) >> 1
    if (starts[middle]! <= at) first = middle
    else end = middle
  }
  return [first + 1, at - starts[first]! + 1]
}

let latest = { text: '', starts: [0] }

const lineStarts = (text: string) => [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]

/**
 * The library's own looks at each character before a token, for every variable of a template: with some thousands of them
 * that takes minutes.
 */
export function quickenPositions(): void {
  Token.prototype.getPosition = function (this: Token) {
    return positionIn(this.input, this.begin)
  }
}
