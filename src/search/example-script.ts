// The JavaScript of the example page (`/_example`) of fulltext and typeahead.

/** The script of the example page. It creates only `mark` elements from the HTML in replies; everything else is shown as text. */
export const script = `
'use strict'
const part = (id) => document.getElementById(id)
const showState = (text) => {
  part('state').textContent = text
}
let headers = {}
let lastRequest = 0
let lastShown = 0

async function call(method, path, params) {
  const isGet = method === 'GET'
  const url = isGet ? path + '?' + new URLSearchParams(params) : path
  const body = isGet ? {} : { body: JSON.stringify(params) }
  try {
    // The request is sent without stored credentials. Otherwise the browser would show its password dialog after a 401.
    const response = await fetch(url, { method, headers, credentials: 'omit', ...body })
    const reply = await response.json()
    if (response.status === 401) part('access').hidden = false
    return { status: response.status, ...reply, isOk: response.ok }
  } catch {
    return { isOk: false, message: 'No reply. Try again.' }
  }
}

// Shows the results for the current text. Ignores a reply that arrives after the reply to a later request.
async function search() {
  const number = ++lastRequest
  const text = part('search').value
  if (text.trim() === '') return show(number, [], '')
  const index = part('index').value
  const reply = await call('GET', 'documents', { index, search: text, highlight: true, count: true, size: 10 })
  if (!reply.isOk) return show(number, [], errorText(reply))
  const { documents, nb_results } = reply.content
  show(number, documents, nb_results === 0 ? 'Nothing found' : nb_results + ' found')
}

function show(number, documents, text) {
  if (number < lastShown) return
  lastShown = number
  showState(text)
  part('results').replaceChildren(...documents.map(item))
}

const errorText = ({ status_code, message }) =>
  status_code === 'index_not_found' ? 'The index does not exist yet. The button below creates it.' : message

function item({ highlight }) {
  const element = document.createElement('li')
  if (highlight.title !== undefined) element.append(line('b', highlight.title), ' ')
  element.append(line('span', highlight.text))
  return element
}

// The service escapes everything but its marks. As a second defence, the script creates no other elements than marks.
function line(tag, html) {
  const element = document.createElement(tag)
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const node of body.childNodes) {
    const copy = node.nodeName === 'MARK' ? document.createElement('mark') : document.createTextNode('')
    copy.textContent = node.textContent
    element.append(copy)
  }
  return element
}

async function fill() {
  const index = part('index').value
  part('fill').disabled = true
  showState('Writing…')
  const created = await call('POST', 'index', { name: index })
  const exists = created.isOk || created.status_code === 'index_exists'
  const documents = JSON.parse(part('samples').textContent)
  const reply = exists ? await call('POST', 'documents', { index, documents }) : created
  part('fill').disabled = false
  showState(reply.isOk ? documents.length + ' documents written. Type to find them.' : errorText(reply))
  if (!reply.isOk) return
  part('search').focus()
  if (part('search').value) search()
}

// Chooses HTTP Basic if the credentials contain a colon, which separates user and password (RFC 7617); bearer tokens have none (RFC
// 6750).
const authorization = (credentials) =>
  credentials.includes(':') ? 'Basic ' + btoa(String.fromCharCode(...new TextEncoder().encode(credentials))) : 'Bearer ' + credentials

part('search').addEventListener('input', search)
part('index').addEventListener('change', search)
part('fill').addEventListener('click', fill)
part('form').addEventListener('submit', (event) => {
  event.preventDefault()
  search()
})
part('access').addEventListener('submit', (event) => {
  event.preventDefault()
  headers = { authorization: authorization(part('token').value) }
  part('access').hidden = true
  part('search').focus()
  search()
})
`
