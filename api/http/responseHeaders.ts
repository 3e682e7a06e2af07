// The response headers, as the document describes them.
import type { ZodOpenApiHeaderObject, ZodOpenApiHeadersObject } from 'zod-openapi'

type Described = ZodOpenApiHeaderObject & { description: string }

const text = { type: 'string' } as const

/** An answer that names one of these always has it. */
const always = {
  'X-Request-Id': {
    description: 'Identifies this request in the error body, the audit log and our logs.',
    schema: { ...text, pattern: '^req_[0-9a-z]{26}$' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: { description: 'Send it back as `If-None-Match` to get 304 while nothing has changed.', schema: text },
  'Cache-Control': { description: 'How long the answer may be cached, and by whom.', schema: text },
  'Content-Disposition': { description: 'The name with which a browser saves the file.', schema: text },
  'Set-Cookie': { description: 'The cookie of the session, or of a sign-in in progress.', schema: text },
  Location: { description: 'The address to go to.', schema: { ...text, format: 'uri' } },
  'Content-Security-Policy': { description: 'The page loads nothing from other sites.', schema: text },
  'Referrer-Policy': { description: 'The address is a credential, so it is not sent to other sites.', schema: text },
  Vary: { description: 'The request headers that the answer depends on.', schema: text },
  'X-Content-Type-Options': { description: '`nosniff`.', schema: { ...text, const: 'nosniff' } },
} satisfies Record<string, Described>

export type HeaderName = keyof typeof always

/** An answer that names one of these may have it. */
const sometimes = {
  RateLimit: {
    description:
      'The remaining calls of the month and the seconds until it ends: `"quota";r=…;t=…`. Absent without a limit.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The calls per month and its length in seconds: `"quota";q=…;w=…;pk=…`. Absent if `RateLimit` is.',
    schema: text,
  },
  'Service-Terms-Upgrade-Required': {
    description:
      'The version of the terms of service that the organization has yet to accept. Absent if it has accepted them.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description:
      '`true`: this is the stored answer to an earlier request with the same Idempotency-Key; nothing was done again.',
    schema: { ...text, const: 'true' },
  },
  'Idempotency-Original-Request-Id': {
    description: 'The `X-Request-Id` of that request. Absent without `Idempotent-Replayed`.',
    schema: { ...text, pattern: '^req_[0-9a-z]{26}$' },
  },
  'Retry-At': {
    description: 'Seconds until the last hold in the way runs out. Only with `explain`, if nothing else is in the way.',
    schema: { type: 'integer', minimum: 1 },
  },
  Tag: {
    description: 'The tag of the record, the same in every view. Send it back as `If-None-Match` or `If-Match`.',
    schema: { ...text, pattern: '^"[A-Za-z0-9_-]{22}"$' },
  },
  'No-Store': { description: '`no-store`: the answer must not be cached.', schema: text },
} satisfies Record<string, Described>

type Name = HeaderName | keyof typeof sometimes

export const headerComponents: Record<string, ZodOpenApiHeaderObject> = {
  ...Object.fromEntries(Object.entries(always).map(([name, header]) => [name, { ...header, required: true }])),
  ...sometimes,
}

const onTheWire: Partial<Record<Name, string>> = { 'No-Store': 'Cache-Control', 'Retry-At': 'Retry-After', Tag: 'ETag' }
const nameOnTheWire = (name: Name) => onTheWire[name] ?? name

/** A later name wins, so that a route may describe a header of all answers in its own way. */
export const headersOf = (...names: Name[]): ZodOpenApiHeadersObject =>
  Object.fromEntries(names.map((name) => [nameOnTheWire(name), { $ref: `#/components/headers/${name}` }]))

export const ofKeyed: Name[] = ['Idempotent-Replayed', 'Idempotency-Original-Request-Id']
export const everyAnswer: Name[] = ['X-Request-Id', 'X-Content-Type-Options']
export const ofTheOrganization: Name[] = ['No-Store', 'RateLimit', 'RateLimit-Policy', 'Service-Terms-Upgrade-Required']
