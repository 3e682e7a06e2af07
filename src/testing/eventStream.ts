// Reading server-sent events as a client does.

type ServerEvent = { event: string; id: string | undefined; data: unknown } | { comment: string }

type EventStream = {
  response: Response
  /** The next event or comment; undefined once the stream has ended. */
  next(): Promise<ServerEvent | undefined>
  close(): void
}

export async function openEventStream(url: string, headers: Record<string, string>): Promise<EventStream> {
  const closing = new AbortController()
  const response = await fetch(url, { headers, signal: closing.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          return eventOf(block)
        }
        const { value, done } = await reader.read()
        if (done) return undefined
        text += value
      }
    },
    close: () => closing.abort(),
  }
}

function eventOf(block: string): ServerEvent {
  if (block.startsWith(':')) return { comment: block }
  const fields = new Map(block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)!.slice(1) as [string, string]))
  return { event: fields.get('event')!, id: fields.get('id'), data: JSON.parse(fields.get('data')!) }
}
