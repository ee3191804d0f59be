/**
 * Browser script that simulates the processor's widget on a local start. Its dialog asks for no card: the buttons send the
 * processor's notifications (check, then pay) to this component, and report the result to the page. Only local pages include it.
 */
export const simulatedWidget = `
'use strict'
{
  const { notifications } = JSON.parse(document.getElementById('data').textContent)

  const fieldsOf = ({ amount, currency, accountId, description }) => ({
    TransactionId: Date.now(),
    Amount: amount.toFixed(2),
    Currency: currency,
    DateTime: new Date().toISOString().slice(0, 19).replace('T', ' '),
    AccountId: accountId,
    Description: description,
    OperationType: 'Payment',
    Status: 'Completed',
    TestMode: 0,
  })

  async function notify(path, fields) {
    const response = await fetch(notifications + path + '?' + new URLSearchParams(fields))
    const { code } = await response.json()
    if (code !== 0) throw new Error(path + ': ' + (code === undefined ? response.status : code))
  }

  async function charge(options) {
    const fields = fieldsOf(options)
    await notify('/check', fields)
    await notify('/pay', fields)
  }

  function choose({ amount, currency, accountId }) {
    const dialog = document.createElement('dialog')
    const text = document.createElement('p')
    text.textContent = amount.toFixed(2) + ' ' + currency + ', ' + accountId
    dialog.append(text, choice(dialog, 'approve', 'Approve'), ' ', choice(dialog, 'decline', 'Decline'))
    dialog.setAttribute('aria-label', 'Simulated processor')
    document.body.append(dialog)
    dialog.showModal()
    return new Promise((resolve) => {
      dialog.addEventListener('close', () => {
        dialog.remove()
        resolve(dialog.returnValue)
      })
    })
  }

  function choice(dialog, value, text) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = text
    button.addEventListener('click', () => dialog.close(value))
    return button
  }

  window.cp = {
    CloudPayments: class {
      async pay(_, options, { onSuccess, onFail }) {
        const chosen = await choose(options)
        if (chosen !== 'approve') return onFail(chosen === 'decline' ? 'Declined' : 'Cancelled')
        try {
          await charge(options)
        } catch (error) {
          return onFail(error.message)
        }
        onSuccess()
      }
    },
  }
}
`
