import type { Params } from '#client/index'
import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { Page, Section, Shown } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

type NewAccessNote = Params<'access', 'post', '/note'>

/** The newest notes, which can be deleted, and a form to add one. */
export default function Access() {
  const notes = useData((signal) => q().access.get('/notes', { limit: 100 }, { signal }), [], { every: 10_000 })
  const add = useAction((values: FormValues) => q().access.post('/note', asParams<NewAccessNote>(values)), {
    done: 'Note added.',
    after: notes.reload,
  })
  const remove = useAction((id: number) => q().access.delete('/note', { id }), {
    done: 'Note deleted.',
    after: notes.reload,
  })
  return (
    <Page title="Access" about="The newest 100 notes.">
      <Section title="Add a note">
        <Form
          fields={[{ name: 'text', label: 'Text', isRequired: true }]}
          submit="Add"
          onSubmit={add.run}
          isBusy={add.isBusy}
          error={add.error}
        />
      </Section>
      <Section title="Notes">
        <Shown of={notes}>
          {({ notes: rows }) => (
            <Table
              label="Notes"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No notes."
              columns={[
                { title: 'Note', of: ({ text }) => text },
                { title: 'Created', of: ({ created_at }) => <Time of={created_at} /> },
                {
                  title: 'Action',
                  of: ({ id }) => (
                    <ConfirmButton
                      question="The note is deleted permanently."
                      isBusy={remove.isBusy}
                      onConfirm={() => remove.run(id)}
                    >
                      Delete
                    </ConfirmButton>
                  ),
                },
              ]}
            />
          )}
        </Shown>
      </Section>
    </Page>
  )
}
