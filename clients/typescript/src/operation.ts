// The options and answers of every operation.

/** A row of the generated table: how an operation is sent, and how its answer is read. */
export type OperationSpec = {
  id: string
  group: string
  name: string
  http: string
  path: string
  query: readonly string[]
  answer: 'json' | 'text' | 'stream' | 'redirect' | 'nothing'
  accept: string
  hasBody: boolean
  /** Takes an `Idempotency-Key`. */
  keyed: boolean
  paging: 'offset' | 'cursor' | 'none'
}

export type ReadOptions = {
  /** Ends the call, also while it waits for a retry. */
  signal?: AbortSignal
  /** For each attempt. */
  timeoutMs?: number
  maxRetries?: number
}

export type WriteOptions = ReadOptions & {
  /** Made once for each call unless you give one. A retry with the same key does nothing twice. */
  idempotencyKey?: string
}

/** Where a browser would go. The client never follows. */
export type Redirect = { status: number; location: string | null }

/** Everything about an answer. */
export type FullAnswer<T> = {
  data: T
  status: number
  headers: Headers
  /** Tell it to the people who run the service when something is wrong. */
  requestId: string | null
  /** Of the record, for `ifMatch` and `ifNoneMatch`. */
  etag: string | null
  /** The answer is that of an earlier request with the same idempotency key. */
  isReplayed: boolean
}
