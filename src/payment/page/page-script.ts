/**
 * What runs in the page: it loads the processor's widget, opens it, and says or goes where that ends. Within a function, so
 * that no name of it meets one of the widget's. For browsers from 2020 on.
 */
export const script = `
(() => {
  'use strict'
  const data = JSON.parse(document.getElementById('data').textContent)
  const { payment, texts } = data
  const button = document.getElementById('pay')
  const notice = document.getElementById('notice')
  const patience = 20000
  const payText = button.textContent
  let loading = null
  let isBusy = false

  function maker() {
    if (window.cp && window.cp.CloudPayments) return window.cp.CloudPayments
    return window.tiptop && window.tiptop.Widget
  }

  function load() {
    if (maker()) return Promise.resolve()
    if (!loading) loading = loadScript().finally(() => { loading = null })
    return loading
  }

  const loadScript = () => new Promise((resolve, reject) => {
    const element = document.createElement('script')
    const fail = () => {
      element.remove()
      reject(new Error('The widget did not load'))
    }
    const timer = setTimeout(fail, patience)
    element.onload = () => {
      clearTimeout(timer)
      if (maker()) resolve()
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

  function offer(text) {
    isBusy = false
    button.removeAttribute('aria-disabled')
    button.textContent = text
  }

  function wait() {
    isBusy = true
    button.setAttribute('aria-disabled', 'true')
    button.textContent = texts.opening
  }

  function notLoaded() {
    show('stopped', texts.notLoaded)
    offer(texts.again)
  }

  function failed(reason) {
    const because = typeof reason === 'string' && reason ? reason.slice(0, 300) + (/[.!?]$/.test(reason) ? ' ' : '. ') : ''
    show('stopped', { title: texts.failed.title, text: because + texts.failed.text }, data.failUrl)
    offer(payText)
    if (data.failUrl) location.assign(data.failUrl)
  }

  function paid() {
    show('paid', texts.paid, data.successUrl)
    document.title = texts.paid.title
    notice.focus()
    // Not a place to come back to: who did would pay twice.
    if (data.successUrl) location.replace(data.successUrl)
  }

  /** Each end but the first failure, or a success after it where the payer tried again within the form, says nothing new. */
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
      const Widget = maker()
      const opened = new Widget({ language: data.locale }).pay('charge', payment, { onSuccess, onFail })
      // Newer widgets give a promise besides.
      Promise.resolve(opened).catch(() => onFail())
    } catch (error) {
      onFail()
    }
  }

  function press() {
    if (isBusy) return
    wait()
    show('open')
    load().then(open, notLoaded)
  }

  button.addEventListener('click', press)
  // Who comes back by the browser's button finds the page as he left it, with no widget over it.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    show('ready')
    offer(payText)
  })
  load().catch(() => {
    if (!isBusy) notLoaded()
  })
})()
`
