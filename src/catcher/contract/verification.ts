// Schemas of the verification of a space: how many requests match, and which nearly do.
import * as z from 'zod'
import { CapturedRequest, space } from '../contract.ts'
import { match } from './stubs.ts'

export const VerificationParams = z
  .object({
    space,
    match,
    at_least: z
      .int()
      .min(0)
      .max(1_000)
      .optional()
      .describe('Smallest number of matching requests, 0 to 1000. Default: 1, or 0 if `at_most` is given'),
    at_most: z.int().min(0).max(1_000).optional().describe('Greatest number, 0 to 1000. Default: no limit'),
    wait: z
      .number()
      .min(0)
      .max(60)
      .default(0)
      .describe('Seconds to wait until there are `at_least` matching requests, 0 to 60'),
  })
  .refine(({ at_least = 0, at_most = 1_000 }) => at_least <= at_most, {
    path: ['at_most'],
    error: 'Must not be less than at_least',
  })

export type VerificationParams = z.output<typeof VerificationParams>

const Difference = z.object({
  field: z.string().describe('Condition that the request does not fulfil, such as `method` or `json.order.id`'),
  expected: z.string().describe('Expected value, at most 200 characters. Values in JSON bodies as JSON'),
  actual: z.string().nullable().describe('Value of the request, at most 200 characters; null: absent'),
})
export type Difference = z.output<typeof Difference>

const NearMiss = z.object({
  request: CapturedRequest.pick({ id: true, created_at: true, method: true, path: true }),
  differences: z.array(Difference).describe('Conditions that the request does not fulfil, at most 20'),
})

export const VerificationResult = z.object({
  count: z.int().describe('Number of stored requests that match'),
  ok: z.boolean().describe('Whether the number is between `at_least` and `at_most`'),
  nearest: z
    .array(NearMiss)
    .describe('If too few requests match: up to three other requests that differ least, the most similar first'),
})
export type VerificationResult = z.output<typeof VerificationResult>
