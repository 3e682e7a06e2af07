// The description of a copy at a provider that has no field for calls and links: they are lines below the text.
import type { EventCopy } from './provider.ts'

export function describedBy({ description, call, links = [] }: EventCopy): string | null {
  const lines = [
    ...(call
      ? [`Call: ${[call.provider, call.url, call.pin && `PIN ${call.pin}`, call.phone].filter(Boolean).join(', ')}`]
      : []),
    ...links.map(({ url, title }) => `Link: ${title ? `${title}, ${url}` : url}`),
  ]
  return lines.length === 0 ? description : [description, lines.join('\n')].filter(Boolean).join('\n\n')
}
