// The mails of the email benchmark.
const paragraph =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '

/** The n-th mail: a letter of 2 KB, as text and HTML. */
export const mail = (n: number) => ({
  to: `Ann Example <user${n}@example.com>`,
  subject: `Your order ${n} is on its way`,
  text: paragraph.repeat(20),
  html: `<html><body><h1>Order ${n}</h1><p>${paragraph.repeat(20)}</p></body></html>`,
})
