// A request, made from an operation and its input.
import type { OperationSpec } from './operation.ts'

type Given = {
  operation: OperationSpec
  path: Record<string, string>
  body: unknown
  options: Record<string, unknown>
}

/** The address of an operation. Values stay within their place: none of them can lead to another path. */
export function addressOf(baseUrl: string, { operation, path, options }: Given): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]))
  const query = new URLSearchParams()
  for (const name of operation.query) {
    const value = options[name]
    if (value !== undefined && value !== null) query.set(name, queryText(value))
  }
  const text = query.toString()
  return `${baseUrl}${filled}${text && `?${text}`}`
}

function segment(name: string, value: string | undefined): string {
  if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
    throw new TypeError(`${name} must be an identifier, not ${JSON.stringify(value)}.`)
  }
  return encodeURIComponent(value)
}

function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(queryText).join(',')
  if (value instanceof Date) return value.toISOString()
  return String(value)
}

export function headersOf({ operation, options, body }: Given, idempotencyKey: string | undefined): Headers {
  const headers = new Headers({
    accept: operation.answer === 'json' ? 'application/json' : `${operation.accept}, application/json`,
  })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (typeof options.ifMatch === 'string') headers.set('if-match', options.ifMatch)
  if (typeof options.ifNoneMatch === 'string') headers.set('if-none-match', options.ifNoneMatch)
  return headers
}

const known = ['signal', 'timeoutMs', 'maxRetries', 'idempotencyKey', 'ifMatch', 'ifNoneMatch']

/** An option that is neither of the client nor a parameter would be dropped in silence. */
export function checkOptions({ operation, options }: Given): void {
  const stray = Object.keys(options).find((name) => !known.includes(name) && !operation.query.includes(name))
  if (stray !== undefined) {
    const place = `${operation.group}.${operation.name}`
    throw new TypeError(`${place} has no option ${stray}. It has: ${[...operation.query, ...known].join(', ')}.`)
  }
}
