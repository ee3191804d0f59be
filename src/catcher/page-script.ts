/** JavaScript of the live page. Inserts all content of caught requests as text, so that a request with HTML cannot run scripts there. */
export const script = `
'use strict'
const maxItems = 1000
const reconnectDelayMs = 3000
const part = (id) => document.getElementById(id)
const space = new URLSearchParams(location.search).get('space')
const at = (path, params = {}) =>
  path + '?' + new URLSearchParams(space ? { ...params, space } : params)
const items = new Map()
let newest = 0

part('space').textContent = space ?? ''
part('base').textContent = new URL('..', location.href).href
if (space) part('empty').append(' with the header ', make('code', 'X-Catcher-Space: ' + space))

function make(tag, text, ...inner) {
  const element = document.createElement(tag)
  element.append(text ?? '', ...inner)
  return element
}

const timeOf = (text) => new Date(text.replace(' ', 'T') + 'Z')

function listen() {
  const source = new EventSource(at('stream', { last_event_id: newest }))
  source.onopen = () => say('Live')
  source.onerror = () => {
    say('Disconnected, reconnecting')
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, reconnectDelayMs)
  }
  source.addEventListener('request', ({ data }) => add(JSON.parse(data)))
  source.addEventListener('cleared', clear)
}

const say = (text) => {
  if (part('state').textContent !== text) part('state').textContent = text
}

function add({ id, created_at, method, path, query }) {
  if (items.has(id)) return
  newest = Math.max(newest, id)
  const time = make('time', timeOf(created_at).toLocaleTimeString())
  time.dateTime = created_at + 'Z'
  const button = make('button', null, make('b', method), make('span', path + (query && '?' + query)), time)
  button.type = 'button'
  button.addEventListener('click', () => choose(id))
  const item = make('li', null, button)
  items.set(id, { item, button })
  part('requests').prepend(item)
  part('empty').hidden = true
  if (items.size > maxItems) drop(items.keys().next().value)
}

function drop(id) {
  items.get(id).item.remove()
  items.delete(id)
}

function clear() {
  for (const id of [...items.keys()]) drop(id)
  newest = 0
  part('empty').hidden = false
  part('details').replaceChildren(make('p', 'Choose a request to see it.'))
}

async function choose(id) {
  for (const { button } of items.values()) button.removeAttribute('aria-current')
  items.get(id)?.button.setAttribute('aria-current', 'true')
  const reply = await fetch(at(String(id))).then((response) => response.json(), () => ({}))
  if (items.get(id)?.button.ariaCurrent !== 'true') return
  part('details').replaceChildren(...(reply.content ? describe(reply.content.request) : [make('p', reply.message ?? 'No response')]))
  part('details').focus({ preventScroll: true })
  if (part('details').getBoundingClientRect().top < 0) part('details').scrollIntoView()
}

function describe(request) {
  const notes = [request.body_encoding, request.body_truncated && 'truncated'].filter(Boolean).join(', ')
  return [
    make('h2', request.method.toUpperCase() + ' ' + request.path),
    make('p', request.host + ':' + request.port + ', ' + timeOf(request.created_at).toLocaleString()),
    ...section('Query', table(request.query)),
    ...section('Headers', table(request.headers)),
    ...section('JSON', request.json === null ? null : make('pre', JSON.stringify(request.json, null, 2))),
    ...section(notes ? 'Body (' + notes + ')' : 'Body', request.body ? make('pre', request.body) : null),
  ]
}

const section = (title, content) => (content ? [make('h3', title), content] : [])

function table(values) {
  const rows = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => row(name, one)))
  return rows.length > 0 ? make('table', null, make('tbody', null, ...rows)) : null
}

function row(name, value) {
  const head = make('th', name)
  head.scope = 'row'
  return make('tr', null, head, make('td', value))
}

part('clear').addEventListener('click', async () => {
  const reply = await fetch(at('./'), { method: 'DELETE' }).catch(() => ({ ok: false }))
  if (!reply.ok) say('Could not clear')
})

listen()
`
