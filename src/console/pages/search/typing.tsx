import { useEffect, useRef, useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { say } from '../../parts/notice.tsx'
import { Pager } from '../../parts/pager.tsx'
import { hrefOf } from '../../route.ts'
import { Document } from './document.tsx'
import { excerptOf, piecesOf, type SearchVariant, searchOf, type TextPiece } from './variant.ts'

type Found = Reply<'fulltext', 'get', '/documents'>

interface Answer {
  text: string
  found?: Found
  /** Milliseconds from the question to the answer. */
  took: number
  error?: unknown
}

interface Of {
  variant: SearchVariant
  index: string
}

const size = 20

/** Results at each letter. */
export function Typing({ variant, index, text: first }: Of & { text: string }) {
  const [text, setText] = useState(first)
  const [offset, setOffset] = useState(0)
  const [opened, setOpened] = useState<string>()
  const { answer, again } = useAnswers({ variant, index }, text, offset)
  // A link to what is looked for; each letter a step back would be too many.
  useEffect(() => history.replaceState(null, '', hrefOf(['search', variant, index], { text })), [text])
  return (
    <>
      <div class="field looked-for">
        <label for="looked-for">Look for</label>
        <input
          id="looked-for"
          type="search"
          value={text}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            setOffset(0)
            setText(currentTarget.value)
          }}
        />
      </div>
      <p role="status" class={answer?.error === undefined ? 'quiet' : 'wrong'}>
        {toldOf(text, answer)}
      </p>
      {text.trim() !== '' && answer?.found && (
        <>
          <ol class="found" start={offset + 1}>
            {answer.found.documents.map(({ code, title, text, highlight, score }) => (
              <li key={code}>
                <button type="button" class="plain" onClick={() => setOpened(code)}>
                  {(highlight?.title ?? title) ? <Marked of={piecesOf(highlight?.title ?? title ?? '')} /> : code}
                </button>
                <p>
                  <Marked of={excerptOf(highlight ? piecesOf(highlight.text) : [{ text, isFound: false }], 240)} />
                </p>
                <small class="quiet">
                  {code}
                  {score !== undefined && `, score ${score.toPrecision(3)}`}
                </small>
              </li>
            ))}
          </ol>
          <Pager
            offset={offset}
            size={size}
            total={Math.min(answer.found.nb_results ?? 0, 10_000)}
            onTurn={setOffset}
          />
        </>
      )}
      {opened !== undefined && (
        <Document {...{ variant, index }} code={opened} onClose={() => setOpened(undefined)} onGone={again} />
      )}
    </>
  )
}

const Marked = ({ of }: { of: TextPiece[] }) => (
  <>{of.map(({ text, isFound }, i) => (isFound ? <mark key={i}>{text}</mark> : text))}</>
)

function toldOf(text: string, answer: Answer | undefined): string {
  if (text.trim() === '') return 'Type to search.'
  if (!answer) return 'Searching…'
  if (answer.error !== undefined) return say(answer.error)
  const { nb_results: found = 0 } = answer.found ?? {}
  return `${found === 0 ? 'Nothing found' : `${found} found`} for “${answer.text}” in ${Math.round(answer.took)} ms`
}

/** The newest answer there is: one that comes after a later one's is not shown. */
function useAnswers({ variant, index }: Of, text: string, from: number) {
  const [answer, setAnswer] = useState<Answer>()
  const [round, setRound] = useState(0)
  const asked = useRef(0)
  const shown = useRef(0)
  useEffect(() => {
    const number = ++asked.current
    const show = (given: Answer | undefined) => {
      if (number < shown.current) return
      shown.current = number
      setAnswer(given)
    }
    if (text.trim() === '') return show(undefined)
    const began = performance.now()
    const given = { index, search: text, highlight: true, score: true, count: true, size, from }
    searchOf(variant)
      .get('/documents', given)
      .then(
        (found) => show({ text, found, took: performance.now() - began }),
        (error) => show({ text, error, took: 0 }),
      )
  }, [variant, index, text, from, round])
  return { answer, again: () => setRound((before) => before + 1) }
}
