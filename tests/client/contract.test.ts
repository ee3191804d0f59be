// What the client's types say of parameters, against the schemas that validate. The compiler holds it.
import { describe, expectTypeOf, it } from 'vitest'
import type { badge } from '#badge/index'
import type { bus } from '#bus/index'
import type { catcher } from '#catcher/index'
import type { Api } from '#client/index'
import type { delivery } from '#delivery/index'
import type { email } from '#email/index'
import type { feed } from '#feed/index'
import type { notification } from '#notification/index'
import type { otp } from '#otp/index'
import type { payment } from '#payment/index'
import type { pdf } from '#pdf/index'
import type { queue } from '#queue/index'
import type { search } from '#search/index'
import type { signature } from '#signature/index'
import type { sms } from '#sms/index'

interface Declared {
  badge: typeof badge
  bus: typeof bus
  catcher: typeof catcher
  delivery: typeof delivery
  email: typeof email
  feed: typeof feed
  fulltext: ReturnType<typeof search>
  notification: typeof notification
  otp: typeof otp
  payment: typeof payment
  pdf: typeof pdf
  queue: typeof queue
  signature: typeof signature
  sms: typeof sms
  typeahead: ReturnType<typeof search>
}

type Name = keyof Declared

/** The parameters that a component declares, by operation. */
type Taken<Component extends Name> = NonNullable<Declared[Component]['calls']>

/** The same as the client has them; `never` for what it leaves out. */
type ClientParams<Component extends Name, Operation> = Operation extends `${infer Verb} ${infer Path}`
  ? Lowercase<Verb> extends keyof Api[Component]
    ? Path extends keyof Api[Component][Lowercase<Verb>]
      ? Api[Component][Lowercase<Verb>][Path] extends { params: infer Params }
        ? Params
        : never
      : never
    : never
  : never

type ParamsOf<Call> = Call extends { params: infer Params } ? Params : never

/** The operations where the client lets through what the API does not take. */
type TooWide<Component extends Name> = {
  [Operation in keyof Taken<Component>]: ClientParams<Component, Operation> extends ParamsOf<
    Taken<Component>[Operation]
  >
    ? never
    : Operation
}[keyof Taken<Component>]

/** The operations where it refuses what the API takes. */
type TooNarrow<Component extends Name> = {
  [Operation in keyof Taken<Component>]: [ClientParams<Component, Operation>] extends [never]
    ? never
    : ParamsOf<Taken<Component>[Operation]> extends ClientParams<Component, Operation>
      ? never
      : Operation
}[keyof Taken<Component>]

/** The schema checks the texts of each locale by itself, and its type says no more than that they are any. */
type Texts = 'PATCH /notification' | 'POST /notification' | 'POST /notification/preview'

describe('the parameters of the client', () => {
  it('are accepted by the API, and no others exist', () => {
    expectTypeOf<{ [Component in Name]: TooWide<Component> }[Name]>().toBeNever()
  })

  it('include all that the API accepts', () => {
    expectTypeOf<{ [Component in Name]: TooNarrow<Component> }[Name]>().toEqualTypeOf<Texts>()
  })

  it('are compared by name', () => {
    expectTypeOf<ClientParams<'queue', 'POST /task'>>().toHaveProperty('worker')
    expectTypeOf<ClientParams<'feed', 'GET /records'>>().toHaveProperty('collection')
  })
})
