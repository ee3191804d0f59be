// The console's page of keys: lists, creates, rotates and deletes them.
import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent, Page, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

const listIn = (text: unknown) =>
  String(text ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)

export default function Access() {
  const keys = useData((signal) => q().access.get('/keys', { limit: 100 }, { signal }), [], { every: 10_000 })
  const create = useAction(
    ({ name, scopes }: FormValues) => q().access.post('/key', { name: String(name), scopes: listIn(scopes) }),
    { done: 'Key created.', after: keys.reload },
  )
  const remove = useAction((id: string) => q().access.delete('/key', { id }), {
    done: 'Key deleted.',
    after: keys.reload,
  })
  return (
    <Page title="Access" about="Keys with scopes.">
      <Section title="Create a key">
        <Form
          fields={[
            { name: 'name', label: 'Name', isRequired: true },
            { name: 'scopes', label: 'Scopes', isRequired: true },
          ]}
          submit="Create"
          onSubmit={create.run}
          isBusy={create.isBusy}
          error={create.error}
        />
      </Section>
      <Section title="Keys">
        <LoadedContent of={keys}>
          {({ keys: rows }) => (
            <Table
              label="Keys"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No keys."
              columns={[
                { title: 'Name', of: ({ name }) => name },
                { title: 'Scopes', of: ({ scopes }) => scopes.join(', ') },
                { title: 'Created', of: ({ created_at }) => <Time of={created_at} /> },
                {
                  title: 'Action',
                  of: ({ id }) => (
                    <ConfirmButton
                      question="The key and its tokens are refused from now on."
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
        </LoadedContent>
      </Section>
    </Page>
  )
}
