// Reads the OpenAPI document of a running stack, for tests of the API's description.
import { expect, vi } from 'vitest'
import type { Description } from '#core/http/openapi'
import type { Stack } from '../../scripts/stack/stack.ts'
import { ask } from './http.ts'

/**
 * The OpenAPI document of a stack. Waits until all components answer, since a component that is slow to start is
 * missing from it at first.
 */
export const describedWhole = ({ url }: Stack): Promise<Description> =>
  vi.waitFor(async () => {
    const { text } = await ask(`${url}/_openapi.json`)
    expect(text).not.toContain('Left out')
    return JSON.parse(text)
  }, 120_000)
