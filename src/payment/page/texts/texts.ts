/** Texts of the payer's pages in one language. */
export interface Texts {
  /** Name of the language in that language. */
  name: string
  languages: string
  recipient: string
  amount: string
  purpose: string
  account: string
  pay: (sum: string) => string
  secure: (processor: string) => string
  testNotice: string
  back: (host: string) => string
  withoutScript: string
  reload: string
  opening: string
  again: string
  notLoaded: Notice
  failed: Notice
  paid: Notice
  returning: (host: string) => string
  proceed: string
  invalid: Notice
  unavailable: Notice
  forDevelopers: string
}

/** A message to the payer: the event, and advice. */
interface Notice {
  title: string
  text: string
}
