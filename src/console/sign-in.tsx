import { Form } from './parts/form.tsx'
import { Page } from './parts/page.tsx'
import { credentialsNow, signIn } from './session.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Asks for what the API asks for; it stays in this tab, and is sent to this origin only. */
export function SignIn() {
  const wasWrong = Object.keys(credentialsNow()).some((name) => name !== 'secret')
  return (
    <Page
      title="Sign in"
      about="With what the API is called with. It is kept until this tab is closed, and nowhere else."
    >
      {wasWrong && (
        <p class="wrong" role="alert">
          These credentials are wrong.
        </p>
      )}
      <Form
        fields={[
          { name: 'token', label: 'Token', kind: 'password', help: 'One of AUTH_TOKENS' },
          { name: 'username', label: 'or user name', help: 'HTTP_AUTH_USERNAME' },
          { name: 'password', label: 'and password', kind: 'password', help: 'HTTP_AUTH_PASSWORD' },
        ]}
        submit="Sign in"
        onSubmit={async ({ token, username, password }) => {
          signIn({ token: text(token), username: text(username), password: text(password) })
          return true
        }}
      />
    </Page>
  )
}
