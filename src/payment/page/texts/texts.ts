/** All that the payer's pages say, in one language. */
export interface Texts {
  /** The language's own name. */
  name: string
  languages: string
  recipient: string
  amount: string
  purpose: string
  account: string
  pay: (sum: string) => string
  secure: (processor: string) => string
  standIn: string
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

/** What has happened, and what to do about it. */
interface Notice {
  title: string
  text: string
}
