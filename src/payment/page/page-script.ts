/**
 * Script of the card page: loads and opens the processor's widget, then shows the result or redirects. A function scope keeps its
 * names apart from the widget's. Supports browsers from 2020 on.
 */
export const script = `
(() => {
  'use strict'
  const data = JSON.parse(document.getElementById('data').textContent)
  const { payment, texts } = data
  const button = document.getElementById('pay')
  const notice = document.getElementById('notice')
  const loadTimeoutMs = 20000
  const payText = button.textContent
  let loading = null
  let isBusy = false

  function widgetClass() {
    if (window.cp && window.cp.CloudPayments) return window.cp.CloudPayments
    return window.tiptop && window.tiptop.Widget
  }

  function load() {
    if (widgetClass()) return Promise.resolve()
    if (!loading) loading = loadScript().finally(() => { loading = null })
    return loading
  }

  const loadScript = () => new Promise((resolve, reject) => {
    const element = document.createElement('script')
    const fail = () => {
      element.remove()
      reject(new Error('The widget did not load'))
    }
    const timer = setTimeout(fail, loadTimeoutMs)
    element.onload = () => {
      clearTimeout(timer)
      if (widgetClass()) resolve()
      else fail()
    }
    element.onerror = () => {
      clearTimeout(timer)
      fail()
    }
    element.src = data.widget
    document.head.append(element)
  })

  function show(state, words, link) {
    document.body.dataset.state = state
    notice.replaceChildren()
    if (!words) return
    const title = document.createElement('h2')
    title.textContent = words.title
    const text = document.createElement('p')
    text.textContent = words.text
    notice.append(title, text)
    if (link) {
      const element = document.createElement('a')
      element.href = link
      element.textContent = texts.proceed
      notice.append(element)
    }
  }

  function enableButton(text) {
    isBusy = false
    button.removeAttribute('aria-disabled')
    button.textContent = text
  }

  function disableButton() {
    isBusy = true
    button.setAttribute('aria-disabled', 'true')
    button.textContent = texts.opening
  }

  function notLoaded() {
    show('stopped', texts.notLoaded)
    enableButton(texts.again)
  }

  function failed(reason) {
    const because = typeof reason === 'string' && reason ? reason.slice(0, 300) + (/[.!?]$/.test(reason) ? ' ' : '. ') : ''
    show('stopped', { title: texts.failed.title, text: because + texts.failed.text }, data.failUrl)
    enableButton(payText)
    if (data.failUrl) location.assign(data.failUrl)
  }

  function paid() {
    show('paid', texts.paid, data.successUrl)
    document.title = texts.paid.title
    notice.focus()
    // Replace the history entry, so that Back cannot cause a second payment.
    if (data.successUrl) location.replace(data.successUrl)
  }

  /** Reports the first failure, and a success. A success may follow a failure if the payer tries again in the form. */
  function open() {
    let isPaid = false
    let hasFailed = false
    const onSuccess = () => {
      if (isPaid) return
      isPaid = true
      paid()
    }
    const onFail = (reason) => {
      if (isPaid || hasFailed) return
      hasFailed = true
      failed(reason)
    }
    try {
      const Widget = widgetClass()
      const opened = new Widget({ language: data.locale }).pay('charge', payment, { onSuccess, onFail })
      // Newer widgets also return a promise, whose rejection is a failure without a reason.
      Promise.resolve(opened).catch(() => onFail())
    } catch (error) {
      onFail()
    }
  }

  function press() {
    if (isBusy) return
    disableButton()
    show('open')
    load().then(open, notLoaded)
  }

  button.addEventListener('click', press)
  // With the Back button, the browser restores the page from its cache: reset the page, since the widget is closed.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    show('ready')
    enableButton(payText)
  })
  load().catch(() => {
    if (!isBusy) notLoaded()
  })
})()
`
