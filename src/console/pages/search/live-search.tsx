// The search box of an index, with results at each keystroke.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { say } from '../../parts/notice.tsx'
import { Pager } from '../../parts/pager.tsx'
import { hrefOf } from '../../route.ts'
import { Document } from './document.tsx'
import { excerptOf, piecesOf, type SearchVariant, searchOf, type TextPiece } from './variant.ts'

type SearchReply = Reply<'fulltext', 'get', '/documents'>

interface SearchState {
  text: string
  reply?: SearchReply
  /** Time from the request to the reply, in milliseconds. */
  tookMs: number
  error?: unknown
}

interface IndexProps {
  variant: SearchVariant
  index: string
}

const pageSize = 20

export function LiveSearch({ variant, index, text: initialText }: IndexProps & { text: string }) {
  const [text, setText] = useState(initialText)
  const [offset, setOffset] = useState(0)
  const [opened, setOpened] = useState<string>()
  const { result, search } = useLiveSearch({ variant, index }, text, offset)
  // Keeps the query in the URL, so that a reload repeats it. Replaces the history entry, since each keystroke would add one.
  useEffect(() => history.replaceState(null, '', hrefOf(['search', variant, index], { text })), [text])
  return (
    <>
      <div class="field search-text">
        <label for="search-text">Search</label>
        <input
          id="search-text"
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
      <p role="status" class={result?.error === undefined ? 'quiet' : 'wrong'}>
        {statusText(text, result)}
      </p>
      {text.trim() !== '' && result?.reply && (
        <>
          <ol class="found" start={offset + 1}>
            {result.reply.documents.map(({ code, title, text, highlight, score }) => (
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
            size={pageSize}
            total={Math.min(result.reply.nb_results ?? 0, 10_000)}
            onTurn={setOffset}
          />
        </>
      )}
      {opened !== undefined && (
        <Document {...{ variant, index }} code={opened} onClose={() => setOpened(undefined)} onDeleted={search} />
      )}
    </>
  )
}

const Marked = ({ of }: { of: TextPiece[] }) => (
  <>{of.map(({ text, isFound }, i) => (isFound ? <mark key={i}>{text}</mark> : text))}</>
)

function statusText(text: string, result: SearchState | undefined): string {
  if (text.trim() === '') return 'Type to search.'
  if (!result) return 'Searching…'
  if (result.error !== undefined) return say(result.error)
  const { nb_results: count = 0 } = result.reply ?? {}
  return `${count === 0 ? 'Nothing found' : `${count} found`} for “${result.text}” in ${Math.round(result.tookMs)} ms`
}

/** Hook that returns the result of the latest query. Ignores a reply that arrives after the reply to a later request. */
function useLiveSearch({ variant, index }: IndexProps, text: string, from: number) {
  const [result, setResult] = useState<SearchState>()
  const [round, setRound] = useState(0)
  const lastRequest = useRef(0)
  const lastShown = useRef(0)
  useEffect(() => {
    const number = ++lastRequest.current
    const show = (state: SearchState | undefined) => {
      if (number < lastShown.current) return
      lastShown.current = number
      setResult(state)
    }
    if (text.trim() === '') return show(undefined)
    const began = performance.now()
    const params = { index, search: text, highlight: true, score: true, count: true, size: pageSize, from }
    searchOf(variant)
      .get('/documents', params)
      .then(
        (reply) => show({ text, reply, tookMs: performance.now() - began }),
        (error) => show({ text, error, tookMs: 0 }),
      )
  }, [variant, index, text, from, round])
  return { result, search: () => setRound((before) => before + 1) }
}
