// Tests where the configured signature (a footer) is inserted into the HTML of a mail.
import { expect, it } from 'vitest'
import { signHtml } from '#email/signature'

it.each([
  ['<body>Hi</body>', '<body>Hi<i>S</i></body>'],
  ['<BODY>Hi</BODY></HTML>', '<BODY>Hi<i>S</i></BODY></HTML>'],
  ['<body><pre>&lt;/body></pre></body>\n', '<body><pre>&lt;/body></pre><i>S</i></body>\n'],
  ['<body>a</body>b</body>', '<body>a</body>b<i>S</i></body>'],
  ['Hi', 'Hi<i>S</i>'],
  // The lower-case forms of these letters are longer, so an index into the lower-case text would be wrong.
  ['<body>İyi günler, İstanbul</body>', '<body>İyi günler, İstanbul<i>S</i></body>'],
])('a page %j with a signature is %j', (html, signed) => {
  expect(signHtml(html, '<i>S</i>')).toBe(signed)
})
