// Operations of queue, delivery, payment and catcher whose cost is measured.
import { type Costed, type CostWorld, many } from './operation.ts'

const task = ({ ask, target }: CostWorld, more: object = {}) =>
  ask('POST', '/queue/task', { body: { worker: 'default', url: `${target.url}/task`, json: { n: 1 }, ...more } })

export const queue: Costed = {
  prepare: (world) => many(500, () => task(world, { delay: 86_400 })),
  operations: [
    { name: 'POST /task, until it is made', run: (world) => task(world) },
    { name: 'POST /task, in a quarter of a second', run: (world) => task(world, { delay: 0.25 }) },
    {
      name: 'POST /fraction, of ten pieces, until they are made',
      times: 3,
      run: ({ ask, target }) => {
        const body = { worker: 'default', url: `${target.url}/task`, json: {}, min: 1, max: 100, gap: 10 }
        return ask('POST', '/queue/fraction', { body })
      },
    },
    { name: 'GET /task', run: ({ ask }, n) => ask('GET', `/queue/task?id=default-${n + 1}`) },
    { name: 'GET /tasks, 100 of 500', run: ({ ask }) => ask('GET', '/queue/tasks?worker=default&limit=100') },
  ],
}

export const delivery: Costed = {
  operations: [
    {
      name: 'POST /delivery, to 20 by SMS, until it is finished',
      times: 2,
      run: ({ ask, target }) => {
        const range = { min: 1, max: 20, gap: 2, data_url: `${target.url}/people`, filters: {} }
        const body = { name: 'Cost', ...range, has_sms: true, sms_message: { en: 'Hello, {{ name }}' } }
        return ask('POST', '/delivery/delivery', { body })
      },
    },
    { name: 'GET /delivery', run: ({ ask }) => ask('GET', '/delivery/delivery?id=1') },
  ],
}

const paymentOf = (code: string) => {
  const of = { Amount: '10500.50', Currency: 'KZT', AccountId: 'ann', Status: 'Completed' }
  return { TransactionId: code, ...of }
}

export const payment: Costed = {
  prepare: ({ ask }) => many(300, (n) => ask('POST', '/payment/pay', { body: paymentOf(`before-${n}`) })),
  filled: { by: 'POST /pay, with its webhook', times: 300 },
  operations: [
    { name: 'POST /check', run: ({ ask }, n) => ask('POST', '/payment/check', { body: paymentOf(`check-${n}`) }) },
    {
      name: 'POST /pay, with its webhook',
      run: ({ ask }, n) => ask('POST', '/payment/pay', { body: paymentOf(`pay-${n}`) }),
    },
    { name: 'POST /pay, repeated', run: ({ ask }) => ask('POST', '/payment/pay', { body: paymentOf('before-1') }) },
    {
      name: 'GET /transactions, 10 of 300',
      run: ({ ask }) => ask('GET', '/payment/transactions?account=ann&limit=10'),
    },
    { name: 'GET /pub/card', run: ({ ask }, n) => ask('GET', `/payment/pub/card?account=a${n}&sum=10.50&description=Order&currency=KZT`) }, // biome-ignore format: one line
  ],
}

export const catcher: Costed = {
  prepare: ({ ask }) => many(500, (n) => ask('POST', `/catcher/before/${n}`, { body: { n } })),
  operations: [
    { name: 'a request that is caught', run: ({ ask }, n) => ask('POST', `/catcher/hook/${n}`, { body: { n } }) },
    { name: 'GET /_last_request_', run: ({ ask }) => ask('GET', '/catcher/_last_request_') },
    { name: 'GET /_requests_, 100', run: ({ ask }) => ask('GET', '/catcher/_requests_?limit=100') },
  ],
}
