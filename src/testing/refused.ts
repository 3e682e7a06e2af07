// The form of every refusal, whatever refused it.
import assert from 'node:assert/strict'
import type { ErrorType } from '../shapes/errorTypes.ts'
import type { Answer } from './answer.ts'

type Detail = {
  /** The dotted path of the offending field; null when the refusal names none. */
  param?: string | null
  code?: string
  suggestions?: string[]
  feature?: string
  guardrail?: string
  challenge?: string
  methods?: string[]
  organizations?: string[]
  required_role?: string
}

/** The list of wrong fields: several, each once, with words of its own, and the first of them the error's own. */
export function assertErrors({
  message,
  param,
  errors,
}: {
  message: string
  param: string | null
  errors: Wrong[]
}): void {
  assert.ok(errors.length > 1, 'one wrong field comes without a list')
  assert.deepEqual(errors[0], { param, message })
  assert.equal(new Set(errors.map((one) => one.param)).size, errors.length, 'each field once')
  for (const one of errors) {
    assert.deepEqual(Object.keys(one), ['param', 'message'])
    assert.ok(one.message.length > 5)
  }
}

type Wrong = { param: string | null; message: string }

/** The whole error body, but for the wording of its message. */
export function assertRefused(
  { status, headers, body }: Answer,
  expectedStatus: number,
  type: ErrorType,
  { param = null, ...more }: Detail = {},
): void {
  assert.equal(status, expectedStatus, JSON.stringify(body))
  const { message, errors, ...error } = body.error
  if (errors !== undefined) assertErrors(body.error)
  assert.deepEqual(error, { type, param, request_id: headers.get('x-request-id'), ...more })
  assert.match(body.error.request_id, /^req_[0-9a-z]{26}$/)
  assert.ok(typeof message === 'string' && message.length > 10, 'a message says what to do')
  assert.deepEqual(Object.keys(body), ['error'])
}
