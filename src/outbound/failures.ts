// Why an exchange failed, as a reason and in one line for people.

export type FailureReason =
  | 'timeout'
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'invalid_request'
  | 'closed'

/** Never carries a `code`: with some codes undici keeps the requests of a connection that failed. */
export class Failure extends Error {
  readonly reason: FailureReason
  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export const closing = new Failure('closed', 'The HTTP client was closed.')
export const tooManyInterim = new Failure('protocol', 'The response is not valid HTTP (too many interim responses).')
export const over = new Failure('closed', 'The exchange is over.')

export const refusal = (hostname: string) =>
  new Failure('refused_address', `${hostname} is not on the public internet.`)

export const dnsFailure = (hostname: string, detail: string) =>
  new Failure('dns', `The name ${hostname} could not be resolved (${detail}).`)

export function connectFailure(error: Error & { code?: string; syscall?: string }, protocol: string): Failure {
  if (error instanceof Failure) return error
  const detail = detailOf(error)
  if (error.code === 'UND_ERR_CONNECT_TIMEOUT' || error.code === 'ETIMEDOUT') {
    return new Failure('timeout', `The connection could not be made in time (${detail}).`)
  }
  const reached = error.syscall !== 'connect' && !(error instanceof AggregateError)
  return protocol === 'https:' && reached
    ? new Failure('tls', `No secure connection could be made (${detail}).`)
    : new Failure('connect', `The connection could not be made (${detail}).`)
}

/** A failure after the connection was made. */
export function explain(error: Error & { code?: string }): { reason: FailureReason; message: string } {
  if (error instanceof Failure) return { reason: error.reason, message: error.message }
  const { code = '' } = error
  const detail = detailOf(error)
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return { reason: 'invalid_request', message: `The request could not be written (${detail}).` }
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return { reason: 'closed', message: detail }
  if (code.startsWith('ERR_SSL')) return { reason: 'tls', message: `The secure connection failed (${detail}).` }
  const cut = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT'].includes(code)
  // Undici's socket error also stands for an unrequested upgrade.
  if (cut || (code === 'UND_ERR_SOCKET' && !detail.startsWith('bad '))) {
    return { reason: 'reset', message: `The connection ended before the response was complete (${detail}).` }
  }
  return { reason: 'protocol', message: `The response is not valid HTTP (${detail}).` }
}

export function detailOf(error: Error): string {
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return first.message.replace(/\s+/g, ' ').slice(0, 200)
}
