// The sign-in form of the console, which `App` shows if the API does not accept the credentials.
import { Form } from './parts/form.tsx'
import { Page } from './parts/page.tsx'
import { credentialsNow, signIn } from './session.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The form for the credentials of the API. They are stored in this tab only, and are sent to no other origin. */
export function SignIn() {
  const wasWrong = Object.keys(credentialsNow()).some((name) => name !== 'secret')
  return (
    <Page title="Sign in" about="Use the credentials of the API. They are stored in this tab only, until you close it.">
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
