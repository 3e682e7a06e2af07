// The arguments of a call as the tool takes them.
import { requireStorable } from '../http/storable.ts'
import { validate } from '../http/validation.ts'
import type { Tool } from './tool.ts'

/** Throws `validation_error`. `sent`: as the model wrote them. */
export function readArguments({ schema }: Tool, sent: Record<string, unknown>): Record<string, unknown> {
  requireStorable(sent)
  return validate(schema, sent, 'body') as Record<string, unknown>
}
