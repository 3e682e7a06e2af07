// A request that is refused before the protocol sees it: an HTTP status with a JSON-RPC error.
export const parseError = -32700
const invalidRequest = -32600

export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly data: unknown
  readonly headers: Record<string, string>
  /** `code`: of JSON-RPC, by default the status. */
  constructor(status: number, message: string, { code = status, data, headers = {} }: RefusalDetail = {}) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
    this.headers = headers
  }
}

type RefusalDetail = { code?: number; data?: unknown; headers?: Record<string, string> }

export const malformed = (message: string, code = invalidRequest) => new Refusal(400, message, { code })
