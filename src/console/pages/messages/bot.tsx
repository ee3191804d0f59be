import { useState } from 'preact/hooks'
import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useSettled } from '../../use.ts'
import { Caught, useCaught } from './caught.tsx'
import { Long } from './long.tsx'

const size = 50

/** The caught messages of the bot on a local start, newest first. */
export function BotMessages({ query }: { query: URLSearchParams }) {
  const [typed, setTyped] = useState(query.get('chat_id') ?? '')
  const chat_id = useSettled(typed.trim())
  const offset = Number(query.get('offset')) || 0
  const messages = useCaught(
    (signal) =>
      q().otp.post('/messages', { ...(chat_id && { chat_id }), limit: size, offset, count: true }, { signal }),
    [chat_id, offset],
    { every: 5_000 },
  )
  const forget = useAction(() => q().otp.delete('/messages'), {
    done: "The bot's caught messages are forgotten.",
    after: messages.reload,
  })
  return (
    <>
      {!messages.isElsewhere && (
        <div class="fields inline">
          <Typed
            label="Chat"
            value={typed}
            onInput={(chat) => {
              setTyped(chat)
              if (offset > 0) go(['messages', 'bot'])
            }}
          />
        </div>
      )}
      <Caught
        of={messages}
        elsewhere="The bot's messages go to its platform here, so that there are none to be seen. A local start without a bot catches them instead."
      >
        {({ messages: rows, nb_results }) => (
          <>
            <Table
              label="The bot's messages"
              rows={rows}
              keyOf={({ id }) => id}
              empty={
                chat_id ? 'There is no such message.' : 'The bot has sent nothing yet. It sends one-time passwords.'
              }
              columns={[
                { title: 'Chat', of: ({ chat_id }) => chat_id },
                {
                  title: 'Text',
                  of: ({ text }) => (text ? <Long of={text} /> : <span class="quiet">cannot be read any more</span>),
                },
                { title: 'At', of: ({ created_at }) => <Time of={created_at} /> },
              ]}
            />
            <Pager
              offset={offset}
              size={size}
              total={nb_results ?? rows.length}
              onTurn={(offset) => go(['messages', 'bot'], { chat_id, offset: offset ? `${offset}` : '' })}
            />
            {rows.length > 0 && (
              <p>
                <ConfirmButton
                  question="All messages of the bot that were caught are gone then."
                  isBusy={forget.isBusy}
                  onConfirm={forget.run}
                >
                  Forget all messages
                </ConfirmButton>
              </p>
            )}
          </>
        )}
      </Caught>
    </>
  )
}
