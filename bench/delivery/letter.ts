/** The message of the delivery benchmark: a 2 KB HTML page with a name. */
const paragraph =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '

export const subject = 'News for {{ name }}'
export const html = `<html><body><h1>{{ shop }}</h1><p>Dear {{ name }},</p><p>${paragraph.repeat(20)}</p></body></html>`
export const payload = { shop: 'Shop & Co' }

/** Number of recipients on a page of the `data_url`. */
export const gap = 100
