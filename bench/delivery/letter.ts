/** What is sent to everybody: a page of 2 KB with a name in it. */
const paragraph =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '

export const subject = 'News for {{ name }}'
export const html = `<html><body><h1>{{ shop }}</h1><p>Dear {{ name }},</p><p>${paragraph.repeat(20)}</p></body></html>`
export const payload = { shop: 'Shop & Co' }

/** How many recipients a page has. */
export const gap = 100
