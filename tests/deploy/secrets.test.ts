// Tests the secrets file of a deployment.
import { expect, test } from 'vitest'
import { hasAccess, parseSecrets, redact, secretsOf } from '../../scripts/deploy/secrets.ts'

const parse = (text: string) => parseSecrets(text, ['feed', 'media-container'])

const component = (name: string, names: string[], prefixes: string[] = []) => ({ name, reads: { names, prefixes } })

test('returns the shared variables that a component reads, and all of the component, which take precedence', () => {
  const secrets = parse('A=1\nB=2\nPROVIDER_A_URL=6\nfeed.B=3\nmedia-container.C="4\n5"\n')
  expect(secretsOf(secrets, component('feed', ['A', 'B', 'D']))).toEqual({ A: '1', B: '3' })
  expect(secretsOf(secrets, component('feed', ['A']))).toEqual({ A: '1', B: '3' })
  expect(secretsOf(secrets, component('media-container', ['B']))).toEqual({ B: '2', C: '4\n5' })
  expect(secretsOf(secrets, component('sms', [], ['PROVIDER_A_']))).toEqual({ PROVIDER_A_URL: '6' })
})

test('treats an empty value as unset, also over a shared one', () => {
  expect(
    secretsOf(parse('DATABASE_URL=postgresql://db\nfeed.DATABASE_URL='), component('feed', ['DATABASE_URL'])),
  ).toEqual({})
})

test.each([
  ['LOCAL=true', 'LOCAL'],
  ['feed.LOCAL=true', 'LOCAL'],
  ['fed.A=1', 'an unknown component: fed.A'],
  ['DEPLOYED_NAMES=A', 'DEPLOYED_NAMES'],
  ['A-B=1', 'an invalid variable name: A-B'],
  ['feed.media.A=1', 'an invalid variable name: feed.media.A'],
])('refuses %s', (text, message) => {
  expect(() => parse(text)).toThrow(message)
})

test.each([
  [{ AUTH_TOKENS: 'a' }, true],
  [{ HTTP_AUTH_USERNAME: 'a', HTTP_AUTH_PASSWORD: 'b' }, true],
  [{ OPEN: 'true' }, true],
  [{ HTTP_AUTH_USERNAME: 'a' }, false],
  [{ OPEN: 'false' }, false],
  [{}, false],
])('knows of %o whether it says who may call', (variables, known) => {
  expect(hasAccess(variables)).toBe(known)
})

test('removes secrets from a text, also longer ones that contain others', () => {
  expect(redact('a secret-1, a secret-12, true', ['secret-1', 'secret-12', 'true'])).toBe('a ***, a ***, true')
})
