// A fake of the payment processor's widget for browser tests: a script, and the frame that it opens, on a separate
// origin. It accepts what the documentation of the widget names (https://developers.cloudpayments.ru), and throws at
// anything else.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProcessorWidget {
  /** Address of the widget's script. */
  script: string
  dispose(): Promise<void>
}

/** Serves the widget on a free port. A page that opens it can read the options of each call in the array `given`. */
export async function serveWidget(): Promise<ProcessorWidget> {
  const replies: Record<string, [type: string, body: string]> = {
    '/bundles/cloudpayments.js': ['text/javascript', script],
    '/form': ['text/html; charset=utf-8', form],
    '/ready': ['text/plain', 'ready'],
  }
  const server = createServer({ keepAliveTimeout: 0 }, ({ url = '' }, response) => {
    const [type, body] = replies[new URL(url, 'http://widget').pathname] ?? ['text/plain', '']
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    script: `http://127.0.0.1:${port}/bundles/cloudpayments.js`,
    dispose: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const script = `
{
  const { origin } = new URL(document.currentScript.src)
  const isUrl = (value) => typeof value === 'string' && /^https?:[/][/]/.test(value)
  const isText = (value) => typeof value === 'string' && value !== ''
  const isCallback = (value) => typeof value === 'function'
  const isOptional = (test) => Object.assign((value) => value === undefined || test(value), { isOptional: true })

  const languages = ['ru-RU', 'en-US', 'lv', 'az', 'kk', 'uk', 'pl', 'pt', 'cs-CZ', 'vi-VN', 'tr-TR', 'es-ES', 'it-IT']
  const settings = { language: (value) => languages.includes(value) }
  const common = { successRedirectUrl: isOptional(isUrl), failRedirectUrl: isOptional(isUrl) }
  const options = {
    publicId: (value) => /^pk_[0-9a-z]+$/.test(value),
    description: isText,
    amount: (value) => typeof value === 'number' && value > 0 && Number(value.toFixed(2)) === value,
    currency: (value) => /^[A-Z]{3}$/.test(value),
    accountId: isOptional(isText),
    invoiceId: isOptional(isText),
    email: isOptional(isText),
    skin: isOptional((value) => ['classic', 'modern', 'mini'].includes(value)),
    autoClose: isOptional(Number.isInteger),
    data: isOptional((value) => typeof value === 'object'),
    configuration: isOptional((value) => check(value, { common: (it) => check(it, common) })),
  }
  const callbacks = { onSuccess: isOptional(isCallback), onFail: isOptional(isCallback), onComplete: isOptional(isCallback) }

  function check(value, tests) {
    for (const name of Object.keys(value)) if (!tests[name]) throw refuse('knows no ' + name)
    for (const [name, test] of Object.entries(tests)) if (!test(value[name])) throw refuse('has a wrong ' + name)
    return true
  }

  function refuse(message) {
    console.error('The widget ' + message)
    return new Error(message)
  }

  window.given = []
  let frame

  window.cp = {
    CloudPayments: class {
      constructor(chosen) {
        check(chosen, settings)
        this.language = chosen.language
      }

      pay(kind, payment, ends) {
        if (kind !== 'charge' && kind !== 'auth') throw refuse('knows no ' + kind)
        if (frame) throw refuse('is open already')
        check(payment, options)
        check(ends, callbacks)
        window.given.push({ kind, language: this.language, options: payment })
        fetch(origin + '/ready').then(() => show(payment, ends))
      }
    },
  }

  function show(payment, { onSuccess, onFail, onComplete }) {
    frame = document.createElement('iframe')
    frame.title = 'Card form'
    frame.allow = 'payment'
    frame.setAttribute('style', 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0; z-index: 2147483647')
    frame.src = origin + '/form'
    frame.onload = () => frame.focus()
    document.body.append(frame)
    addEventListener('message', function end(event) {
      if (event.origin !== origin) return
      removeEventListener('message', end)
      frame.remove()
      frame = undefined
      const success = event.data === 'approve'
      if (onComplete) onComplete({ success }, payment)
      if (success) onSuccess(payment)
      else onFail(event.data === 'decline' ? 'Insufficient funds' : 'User has cancelled', payment)
    })
  }
}
`

/** The handler is an attribute: a click before a script has run would be lost. */
const buttonOf = (id: string) =>
  `<button id="${id}" onclick="parent.postMessage('${id}', '*')">${id[0]!.toUpperCase()}${id.slice(1)}</button>`

const form = `<!doctype html>
<html lang="en">
<title>Card form</title>
<body style="background: #fff">
<h1>Card form</h1>
${['approve', 'decline', 'close'].map(buttonOf).join(' ')}
`
