// Reads an answer: the result of an operation, or the error.
import { ApiError, UnexpectedAnswerError } from './apiError.ts'
import { errorClasses } from './generated/errors.ts'
import type { FullAnswer, OperationSpec } from './operation.ts'

const maxErrorBytes = 1_000_000

export async function readAnswer(
  operation: OperationSpec,
  response: Response,
  maxBytes: number,
): Promise<FullAnswer<unknown>> {
  const { status, headers } = response
  const full = (data: unknown): FullAnswer<unknown> => ({
    data,
    status,
    headers,
    requestId: headers.get('x-request-id'),
    etag: headers.get('etag'),
    isReplayed: headers.get('idempotent-replayed') === 'true',
  })
  if (status === 304) return full(undefined)
  if (response.type === 'opaqueredirect' || (status >= 300 && status <= 399)) {
    await response.body?.cancel()
    if (operation.answer === 'redirect') return full({ status, location: headers.get('location') })
    throw new UnexpectedAnswerError(redirected(headers.get('location')), status)
  }
  if (!response.ok) throw await refusal(response)
  if (operation.answer === 'stream' && headers.get('content-type')?.startsWith(operation.accept)) {
    return full(response.body)
  }
  const text = await readText(response, maxBytes)
  if (status === 204 || text === '') return full(undefined)
  if (operation.answer === 'text' && !isJson(headers)) return full(text)
  return full(readJson(text, status))
}

/** The key went to the address that was configured, and nowhere else. */
const redirected = (location: string | null) =>
  `The address answers with a redirect${location ? ` to ${location.slice(0, 200)}` : ''}, which is not followed: the key goes only to the address that was configured. Is baseUrl right?`

const isJson = (headers: Headers) => headers.get('content-type')?.includes('json') === true

function readJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnexpectedAnswerError(
      `The answer is not JSON. Is baseUrl right? It begins with: ${text.slice(0, 100)}`,
      status,
    )
  }
}

async function refusal(response: Response): Promise<Error> {
  const { status, headers } = response
  const text = await readText(response, maxErrorBytes)
  const error = errorIn(text)
  if (!error) {
    const begin = text.trim().slice(0, 100)
    return new UnexpectedAnswerError(
      `Status ${status}, and not in the words of the service${begin && `: ${begin}`}`,
      status,
    )
  }
  const Class = Object.hasOwn(errorClasses, error.type) ? errorClasses[error.type] : ApiError
  return new Class(status, error, headers)
}

type Details = ConstructorParameters<typeof ApiError>[1]

/** Only what has the form of an error of the service; a field of another type counts as missing. */
function errorIn(text: string): Details | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const error = (body as { error?: Partial<Record<string, unknown>> } | null)?.error
  if (typeof error !== 'object' || error === null) return undefined
  if (typeof error.type !== 'string' || typeof error.message !== 'string') return undefined
  const { param, request_id, code, suggestions } = error
  return {
    ...error,
    param: typeof param === 'string' ? param : null,
    request_id: typeof request_id === 'string' ? request_id : undefined,
    code: typeof code === 'string' ? code : undefined,
    suggestions: Array.isArray(suggestions) ? suggestions.filter((one) => typeof one === 'string') : undefined,
  } as Details
}

/** The limit applies to the decompressed answer. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      throw new UnexpectedAnswerError(`The answer has more than ${maxBytes} bytes.`, response.status)
    }
    text += decoder.decode(value, { stream: true })
  }
}
