// Tests the public URLs that core computes for components.
import { expect, it } from 'vitest'
import { urlOf } from '#core/http/base'

it('reads a URL whose host is none', () => {
  for (const host of ['a b', '[::1', '%%%', 'a:b', '<x>', '1.2.3.4.5:1', 'a.example:81*'])
    expect(urlOf({ url: `http://${host}//x/y?z=%` }).href).toBe('http://localhost//x/y?z=%')
  expect(urlOf({ url: 'http://a.example:81*' }).href).toBe('http://localhost/')
})

it('returns any other value unchanged', () => {
  expect(urlOf({ url: 'https://a.example:81/x?y' }).href).toBe('https://a.example:81/x?y')
})
