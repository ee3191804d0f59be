// English texts of the payer's pages.
import type { Texts } from './texts.ts'

export const en: Texts = {
  name: 'English',
  languages: 'Language',
  recipient: 'Recipient',
  amount: 'Amount',
  purpose: 'For',
  account: 'Account',
  pay: (sum) => `Pay ${sum}`,
  secure: (processor) =>
    `You enter your card in the secure form of ${processor}, which opens over this page. Neither this page nor the recipient sees the card’s details.`,
  testNotice: 'Test: no card is charged',
  back: (host) => `Back to ${host}`,
  withoutScript: 'The card form needs JavaScript. Turn it on in your browser, then load this page again.',
  reload: 'Load again',
  opening: 'Opening the card form…',
  again: 'Try again',
  notLoaded: {
    title: 'The card form did not load',
    text: 'Check your connection and any ad blocker, then try again. Nothing has been charged.',
  },
  failed: {
    title: 'The payment did not go through',
    text: 'You can try again, or use another card.',
  },
  paid: { title: 'Payment received', text: 'You may close this page.' },
  returning: (host) => `Taking you back to ${host}…`,
  proceed: 'Continue',
  invalid: {
    title: 'This payment link does not work',
    text: 'Something in it is missing or wrong. Nothing has been charged. Go back to where you found it and try again, or ask there for a new one.',
  },
  unavailable: {
    title: 'Card payments are not available right now',
    text: 'Nothing has been charged. Please try again later.',
  },
  forDevelopers: 'For developers',
}
