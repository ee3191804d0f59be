// Generates the documents of the search benchmark with the statistics of real text: few frequent and many rare words
// (Zipf's law), a vocabulary that grows with the text (Heaps' law), and a subject per document.
import { type Random, randomOf } from '../../../scripts/lib/random.ts'
import { wordOf } from './words.ts'

export interface Document {
  code: string
  title: string
  text: string
}

/** The n-th document, from 0: a title of 4 to 9 words, and a text of 100 to 150. Each call returns the same one. */
export function documentOf(n: number): Document {
  const random = randomOf(Math.imul(n + 1, 0x9e3779b1))
  const subject = random.between(0, subjects - 1)
  const title = wordsOf(random, subject, random.between(4, 9), 0.6)
  const text = sentences(random, wordsOf(random, subject, random.between(100, 150), 0.3))
  return { code: String(n), title: capital(title.join(' ')), text }
}

const subjects = 2_000

/** Random words for a text, of which the share `own` is about the subject. */
function wordsOf({ share }: Random, subject: number, count: number, own: number): string[] {
  return Array.from({ length: count }, () => wordOf(share() < own ? rankOfSubject(subject, share()) : rankOf(share())))
}

// Word frequencies fall as 1 / rank up to the bend, and as 1 / rank^1.8 beyond it, as in large corpora.
const [shift, bend, fall] = [1.5, 8_000, 0.8]
const head = Math.log((bend + shift) / shift)
const tail = 1 / fall

/** The rank of a random word, for a random number from 0 to below 1. Rank 0 is the most frequent word. */
function rankOf(chance: number): number {
  const at = chance * (head + tail)
  if (at < head) return Math.floor(shift * Math.exp(at) - shift)
  const left = (head + tail - at) / tail
  return Math.min(Math.floor(bend * left ** (-1 / fall)), 2 ** 30)
}

/** The rank of a random word about a subject: one of some hundred words of medium frequency. */
function rankOfSubject(subject: number, chance: number): number {
  const place = Math.floor(300 ** chance) - 1
  const mixed = Math.imul(subject * 300 + place + 1, 0x85ebca6b) >>> 0
  return 100 + Math.floor(100 * 300 ** (mixed / 2 ** 32))
}

function sentences(random: Random, words: string[]): string {
  const parts: string[] = []
  for (let at = 0; at < words.length; ) {
    const end = at + random.between(6, 18)
    const comma = random.between(3, 12)
    const sentence = words
      .slice(at, end)
      .map((word, place) => (place === comma && at + place + 1 < words.length ? `${word},` : word))
    parts.push(`${capital(sentence.join(' '))}.`)
    at = end
  }
  return parts.join(' ')
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
