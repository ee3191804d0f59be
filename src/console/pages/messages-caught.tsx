import type { ComponentChildren } from 'preact'
import { QuartermasterError } from '#client/index'
import { Shown } from '../parts/page.tsx'
import type { Loaded } from '../use.ts'

/** What a local start has caught; where messages go out for real there is no such thing, which is said in words. */
export function Caught<T>({
  of,
  elsewhere,
  children,
}: {
  of: Loaded<T>
  elsewhere: string
  children: (data: T) => ComponentChildren
}) {
  if (isElsewhere(of)) return <p>{elsewhere}</p>
  return <Shown of={of}>{children}</Shown>
}

/** Whether there is nothing to be seen, since messages go out for real. */
export const isElsewhere = ({ error }: Loaded<unknown>) =>
  error instanceof QuartermasterError && error.code === 'route_not_found'
