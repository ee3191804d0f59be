/** What runs in the page. Of what it is told only marks become elements. */
export const script = `
'use strict'
const part = (id) => document.getElementById(id)
const say = (text) => {
  part('state').textContent = text
}
let headers = {}
let asked = 0
let shown = 0

async function call(method, path, params) {
  const isGet = method === 'GET'
  const url = isGet ? path + '?' + new URLSearchParams(params) : path
  const body = isGet ? {} : { body: JSON.stringify(params) }
  try {
    // Without the browser's own credentials, for which it would ask before it answers.
    const response = await fetch(url, { method, headers, credentials: 'omit', ...body })
    const reply = await response.json()
    if (response.status === 401) part('access').hidden = false
    return { status: response.status, ...reply, isOk: response.ok }
  } catch {
    return { isOk: false, message: 'No answer; try again' }
  }
}

// A reply that comes after a later one's is not shown.
async function search() {
  const number = ++asked
  const text = part('search').value
  if (text.trim() === '') return show(number, [], '')
  const index = part('index').value
  const reply = await call('GET', 'documents', { index, search: text, highlight: true, count: true, size: 10 })
  if (!reply.isOk) return show(number, [], told(reply))
  const { documents, nb_results } = reply.content
  show(number, documents, nb_results === 0 ? 'Nothing found' : nb_results + ' found')
}

function show(number, documents, text) {
  if (number < shown) return
  shown = number
  say(text)
  part('results').replaceChildren(...documents.map(item))
}

const told = ({ status_code, message }) =>
  status_code === 'index_not_found' ? 'There is no such index yet; the button below creates it' : message

function item({ highlight }) {
  const element = document.createElement('li')
  if (highlight.title !== undefined) element.append(line('b', highlight.title), ' ')
  element.append(line('span', highlight.text))
  return element
}

// The service has escaped all but its marks; and whatever it were, nothing but them gets in.
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
  say('Writing')
  const created = await call('POST', 'index', { name: index })
  const isThere = created.isOk || created.status_code === 'index_exists'
  const documents = JSON.parse(part('samples').textContent)
  const reply = isThere ? await call('POST', 'documents', { index, documents }) : created
  part('fill').disabled = false
  say(reply.isOk ? documents.length + ' documents are there; type to find them' : told(reply))
  if (!reply.isOk) return
  part('search').focus()
  if (part('search').value) search()
}

// A colon parts user and password (RFC 7617), and no bearer token has one (RFC 6750).
const authorization = (given) =>
  given.includes(':') ? 'Basic ' + btoa(String.fromCharCode(...new TextEncoder().encode(given))) : 'Bearer ' + given

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
