// A refused or failed call, as a result that a model reads and acts on.
import type { ServiceError } from '../../src/errors.ts'
import { requestIdMeta, type ToolResult } from './answer.ts'
import type { Tool } from './tool.ts'

/** The call that failed. `hasKey`: it came with an idempotency key. */
type FailedCall = { tool: Tool; requestId: string; hasKey: boolean }

export function errorResult({ type, message, detail }: ServiceError, { requestId }: FailedCall): ToolResult {
  const error = {
    type,
    ...(detail.code && { code: detail.code }),
    message,
    ...(detail.param && { param: detail.param }),
    request_id: requestId,
    retryable: type === 'rate_limit_error',
    next_step: 'Read the message, correct the call and repeat it.',
    ...(detail.retryAfterSeconds !== undefined && { retry_after_seconds: detail.retryAfterSeconds }),
  }
  return {
    content: [{ type: 'text', text: JSON.stringify({ error }) }],
    isError: true,
    _meta: requestIdMeta(requestId),
  }
}
