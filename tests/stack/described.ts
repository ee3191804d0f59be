import { expect, vi } from 'vitest'
import type { Description } from '#core/http/openapi'
import type { Stack } from '../../scripts/stack/stack.ts'
import { ask } from './http.ts'

/** The OpenAPI document of a stack, once all its components answer. A slow component is missing from it at first. */
export const describedWhole = ({ url }: Stack): Promise<Description> =>
  vi.waitFor(async () => {
    const { text } = await ask(`${url}/_openapi.json`)
    expect(text).not.toContain('Left out')
    return JSON.parse(text)
  }, 120_000)
