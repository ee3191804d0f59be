import { useState } from 'preact/hooks'
import { Time } from '../../parts/bits.tsx'
import { LoadedContent, Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData, useSettled } from '../../use.ts'
import { channels } from '../messages/texts.ts'

const size = 20

/** All templates, newest first. */
export function Templates({ query }: { query: URLSearchParams }) {
  const [typed, setTyped] = useState({ name: query.get('name') ?? '', code: query.get('code') ?? '' })
  const { name, code } = useSettled(typed)
  const filter = { ...(name.trim() && { name: name.trim() }), ...(code.trim() && { code: code.trim() }) }
  const offset = Number(query.get('offset')) || 0
  const templates = useData(
    (signal) => q().notification.get('/notifications', { ...filter, limit: size, offset, count: true }, { signal }),
    [name.trim(), code.trim(), offset],
  )
  const type = (part: Partial<typeof typed>) => {
    setTyped({ ...typed, ...part })
    if (offset > 0) go(['notification'])
  }
  return (
    <Page
      title="Notifications"
      about="Templates for email, SMS and feed, in several languages."
      actions={
        <a class="button" href={hrefOf(['notification', 'new'], { template: 'new' })}>
          New template
        </a>
      }
    >
      <div class="fields inline">
        <Typed label="Name" value={typed.name} onInput={(name) => type({ name })} placeholder="Part of the name" />
        <Typed label="Code" value={typed.code} onInput={(code) => type({ code })} placeholder="Complete code" />
      </div>
      <LoadedContent of={templates}>
        {({ notifications: rows, nb_results }) => (
          <>
            <Table
              label="Templates"
              rows={rows}
              keyOf={({ id }) => id}
              empty={
                name.trim() || code.trim() ? 'No templates found.' : 'No templates yet. Create one with “New template”.'
              }
              columns={[
                { title: 'Template', of: ({ name, code }) => <a href={hrefOf(['notification', code])}>{name}</a> },
                { title: 'Code', of: ({ code }) => <code>{code}</code> },
                {
                  title: 'Channels',
                  of: (row) => channels.filter((channel) => row[`has_${channel}`]).join(', ') || '–',
                },
                { title: 'Variables', of: ({ variables }) => namesIn(variables) || '–' },
                { title: 'Changed', of: ({ updated_at }) => <Time of={updated_at} /> },
              ]}
            />
            <Pager
              offset={offset}
              size={size}
              total={nb_results ?? rows.length}
              onTurn={(offset) =>
                go(['notification'], { name: name.trim(), code: code.trim(), offset: offset ? `${offset}` : '' })
              }
            />
          </>
        )}
      </LoadedContent>
    </Page>
  )
}

const namesIn = (variables: unknown): string => (Array.isArray(variables) ? variables.join(', ') : '')
