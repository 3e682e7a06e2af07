// The description of a copy at a provider that has no field for calls and links: they are lines below the text.
import { callLine } from '../shapes/callLine.ts'
import type { EventCopy } from './provider.ts'

export function describedBy({ description, call, links = [] }: EventCopy): string | null {
  const lines = [
    ...(call ? [`Call: ${callLine(call)}`] : []),
    ...links.map(({ url, title }) => `Link: ${title ? `${title}, ${url}` : url}`),
  ]
  return lines.length === 0 ? description : [description, lines.join('\n')].filter(Boolean).join('\n\n')
}
