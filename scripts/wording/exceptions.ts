/** Findings of `npm run wording` that are allowed: a file or folder, the phrase or name, and the reason. At most 30. */
export const exceptions: readonly (readonly [path: string, phrase: string, reason: string])[] = [
  ['src/search/example-documents.ts', 'for what', 'example documents of the search, which are literature'],
  ['src/search/example-documents.ts', 'where there is', 'example documents of the search, which are literature'],
  ['tests/email/failures.test.ts', 'go on', 'a reply of the SMTP server of the test'],
]
