// The headers that a receiver asks for. They are often credentials: sealed, and only their names are shown.
import { z } from 'zod'
import type { Uuid } from '../shapes/ids.ts'

export const headersContext = (id: Uuid) => `webhook_subscriptions.headers:${id}` as const

const max = 10
const maxValue = 1_024
/** A token of RFC 9110. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/
const value = /^[\x20-\x7e]*$/

/** Those that a delivery has itself, and those of the connection. */
const reserved = new RegExp(
  `^(${[
    ...['host', 'content-.*', 'connection', 'transfer-encoding', 'cookie'],
    ...[
      'x-signature.*',
      'x-timestamp',
      'x-delivery-id',
      'x-service-.*',
      'webhook-.*',
      'x-change-id',
      'x-calendar-revision',
    ],
    ...['keep-alive', 'upgrade', 'expect', 'te', 'trailer', 'proxy-.*'],
  ].join('|')})$`,
)

function trouble(name: string, sent: unknown, before: readonly string[]): string | undefined {
  if (!token.test(name)) return 'must be a header name of at most 64 characters'
  if (reserved.test(name.toLowerCase())) return 'is set by the service'
  if (before.includes(name.toLowerCase())) return 'is named twice'
  if (typeof sent !== 'string') return 'must be a text'
  if (sent.length > maxValue) return `must be at most ${maxValue.toLocaleString('en')} characters`
  return value.test(sent) ? undefined : 'must be printable ASCII'
}

/** Names in lower case. */
export const webhookHeaders = z
  .custom<Record<string, string>>(
    (sent) => typeof sent === 'object' && sent !== null && !Array.isArray(sent),
    'expected an object',
  )
  .superRefine((sent, context) => {
    const names = Object.keys(sent)
    if (names.length > max) context.addIssue({ code: 'custom', message: `must be at most ${max}` })
    for (const [nth, name] of names.entries()) {
      const before = names.slice(0, nth).map((one) => one.toLowerCase())
      const message = trouble(name, sent[name], before)
      if (message) context.addIssue({ code: 'custom', message, path: [name] })
    }
  })
  .transform((sent) => Object.fromEntries(Object.entries(sent).map(([name, text]) => [name.toLowerCase(), text])))
  .meta({
    description: `Sent with each attempt, at most ${max}. Shown by their names alone.`,
    example: { Authorization: 'Bearer …' },
    override: { type: 'object', additionalProperties: { type: 'string', maxLength: maxValue } },
  })

export const headerNamesOf = (headers: Record<string, string>): string[] => Object.keys(headers).sort()

/** Names and values in turn: those of the receiver stand in for ours of the same name. */
export function withHeaders(ours: readonly string[], theirs: Record<string, string> | undefined): string[] {
  if (!theirs) return [...ours]
  const kept = ours.filter((_, nth) => !Object.hasOwn(theirs, ours[nth - (nth % 2)]!))
  return [...kept, ...Object.entries(theirs).flat()]
}
