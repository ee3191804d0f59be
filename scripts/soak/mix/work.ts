// Operations of queue, delivery, payment and catcher in the load of a soak test. Each waits for the effects after its reply:
// tasks, deliveries and webhooks.
import type { ComponentMix, SoakWorld } from './operation.ts'

/**
 * Runs `act` with an address of the stand-in server, which makes a component call the address, and waits for that call.
 */
async function untilTargetCalled({ target, unique }: SoakWorld, act: (url: string) => Promise<unknown>) {
  const name = unique()
  await Promise.all([target.untilCalled(name), act(`${target.url}/called/${name}`)])
}

const task = ({ ask }: SoakWorld, body: object) => ask('POST', '/queue/task', { body: { worker: 'default', ...body } })

const minute = 60_000

export const queue: ComponentMix = {
  prepare: async (world) => {
    await task(world, { url: `${world.target.url}/tick`, schedule: 'tick', cron: '* * * * *' })
  },
  operations: [
    {
      name: 'queue: a task, until it is made',
      weight: 4,
      run: (world) => untilTargetCalled(world, (url) => task(world, { url, json: { n: 1 }, retries: 3 })),
    },
    {
      name: 'queue: a task in half a second',
      weight: 2,
      run: (world) => untilTargetCalled(world, (url) => task(world, { url, delay: 0.5, retries: 3 })),
    },
    {
      name: 'queue: a range, until a piece is made',
      weight: 0.5,
      run: (world) =>
        untilTargetCalled(world, (url) => {
          const body = { worker: 'default', url, json: { list: 'news' }, min: 1, max: 30, gap: 10 }
          return world.ask('POST', '/queue/fraction', { body })
        }),
    },
    {
      name: 'queue: a schedule, set and removed',
      weight: 0.5,
      run: async (world) => {
        const schedule = world.unique()
        await task(world, {
          url: `${world.target.url}/nightly`,
          schedule,
          cron: '30 3 * * *',
          timezone: 'Europe/Berlin',
        })
        await world.ask('DELETE', `/queue/schedule?worker=default&name=${schedule}`)
      },
    },
    { name: 'queue: list tasks', weight: 1, run: async ({ ask }) => void (await ask('GET', '/queue/tasks?worker=default&limit=20')) }, // biome-ignore format: one line
    { name: 'queue: see the workers', weight: 1, run: async ({ ask }) => void (await ask('GET', '/queue/workers')) },
  ],
  check: async ({ target }, lasted) => {
    const due = Math.floor(lasted / minute)
    if (target.ticks() < due) throw new Error(`The schedule of each minute came ${target.ticks()} times, not ${due}`)
  },
}

export const delivery: ComponentMix = {
  operations: [
    {
      name: 'delivery: to eight, until it is finished',
      weight: 0.5,
      run: async (world) => {
        const { call, until, target, random } = world
        const min = random.between(1, 1e6)
        const email = { email_subject: { en: 'Sale', kk: 'Жеңілдік' }, email_html: { en: '<p>Hello, {{ name }}!</p>' } }
        const channels = { has_email: true, has_sms: true, ...email, sms_message: { en: 'Hello, {{ name }}' } }
        const range = { min, max: min + 3, gap: 2, data_url: `${target.url}/people`, filters: { city: 'Almaty' } }
        const body = { name: 'Spring sale', ...range, ...channels }
        type DeliveryReply = { delivery: { id: number; status: string; report?: Record<string, number> } }
        const { id } = (await call<DeliveryReply>('POST', '/delivery/delivery', body)).delivery
        const look = async () => (await call<DeliveryReply>('GET', `/delivery/delivery?id=${id}`)).delivery
        await until('The end of a delivery', async () => (await look()).status === 'finished')
        const { failures } = await call<{ failures: object[] }>('GET', `/delivery/delivery/failures?id=${id}`)
        if (failures.length > 0) throw new Error('A message of a delivery failed')
      },
    },
  ],
}

const paymentOf = (code: string, account: string) => ({
  TransactionId: code,
  Amount: '10500.50',
  Currency: 'KZT',
  AccountId: account,
  Status: 'Completed',
})

async function notify({ ask }: SoakWorld, path: string, body: object) {
  const { bytes } = await ask('POST', `/payment/${path}`, { body })
  const { code } = JSON.parse(bytes.toString()) as { code: number }
  if (code !== 0) throw new Error(`POST /payment/${path} answered code ${code}`)
}

export const payment: ComponentMix = {
  operations: [
    {
      name: 'payment: check, pay and webhook',
      weight: 3,
      run: async (world) => {
        const code = world.unique()
        const body = paymentOf(code, `account${world.random.between(1, 50)}`)
        await notify(world, 'check', body)
        await Promise.all([world.target.untilCalled(code), notify(world, 'pay', body)])
        await notify(world, 'pay', body)
      },
    },
    {
      name: 'payment: list',
      weight: 2,
      run: async ({ ask, random }) => {
        const body = { account: `account${random.between(1, 50)}`, limit: 10, count: true }
        await ask('POST', '/payment/transactions', { body })
      },
    },
    {
      name: 'payment: the page',
      weight: 1,
      run: async ({ ask }) => void (await ask('GET', '/payment/pub/card?account=a&sum=10.50&description=Order&currency=KZT')), // biome-ignore format: one line
    },
  ],
}

export const catcher: ComponentMix = {
  operations: [
    {
      name: 'catcher: wait for a request, and catch it',
      weight: 3,
      run: async ({ ask, random, unique }) => {
        const path = `/${unique()}`
        const space = `space${random.between(1, 10)}`
        const headers = { 'x-catcher-space': space }
        const [caught] = await Promise.all([
          ask('GET', `/catcher/_last_request_?space=${space}&path=${path}&wait=20`),
          ask('POST', `/catcher${path}?a=1`, { body: { hello: 'there' }, headers }),
        ])
        if (!caught.bytes.toString().includes('"hello"')) throw new Error('The catcher gave another request')
      },
    },
    {
      name: 'catcher: list',
      weight: 1,
      run: async ({ ask, random }) => {
        await ask('GET', `/catcher/_requests_?space=space${random.between(1, 10)}&limit=20`)
      },
    },
  ],
}
