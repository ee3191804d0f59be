// The sign-in form of the console, which `App` shows if the API does not accept the credentials.
import { Form } from './parts/form.tsx'
import { Page } from './parts/page.tsx'
import { credentialsNow, signIn } from './session.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The form for the credentials of the API. They are stored in this tab only, and are sent to no other origin; all tabs share a token. */
export function SignIn() {
  const wasWrong = Object.keys(credentialsNow()).some((name) => name !== 'secret')
  return (
    <Page
      title="Sign in"
      about="A key signs in all tabs of this browser with a token that expires within an hour. The key itself is stored in this tab only, and renews the token until you close the tab."
    >
      {wasWrong && (
        <p class="wrong" role="alert">
          These credentials are wrong.
        </p>
      )}
      <Form
        fields={[
          { name: 'token', label: 'Key', kind: 'password', help: 'A key of the page Access, or one of AUTH_TOKENS' },
          { name: 'username', label: 'or user name', help: 'HTTP_AUTH_USERNAME' },
          { name: 'password', label: 'and password', kind: 'password', help: 'HTTP_AUTH_PASSWORD' },
        ]}
        submit="Sign in"
        onSubmit={async ({ token, username, password }) => {
          await signIn({ token: text(token), username: text(username), password: text(password) })
          return true
        }}
      />
    </Page>
  )
}
