// Server-sent events, read from a stream of bytes.
import { ConnectionError, UnexpectedAnswerError } from './apiError.ts'

type ServerEvent = { event: string; data: string; id: string | undefined }

/** The service sends a comment every 15 seconds. */
const silentMs = 45_000
const maxEventCharacters = 50_000_000

/** The events of a stream that `changes.openStream` opened. Ends when the stream does. A silent stream counts as broken after some time. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await readOrGiveUp(reader)
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/)
      rest = blocks.pop()!
      if (rest.length > maxEventCharacters) throw new UnexpectedAnswerError('An event of the stream is too large.')
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function readOrGiveUp(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError('The stream has gone silent.')), silentMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } catch (error) {
    if (error instanceof ConnectionError) throw error
    throw new ConnectionError('The stream broke.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined for a comment. */
function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split(/\r\n|\n|\r/).flatMap((line): [name: string, value: string][] => {
    const [, name, value] = /^([^:]+):? ?(.*)$/s.exec(line) ?? []
    return name === undefined ? [] : [[name, value ?? '']]
  })
  const last = (name: string) => fields.findLast(([one]) => one === name)?.[1]
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
  if (data.length === 0) return undefined
  return { event: last('event') ?? 'message', data: data.join('\n'), id: last('id') }
}
