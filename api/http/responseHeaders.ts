// The headers of answers, as the document describes them.
import type { ZodOpenApiHeaderObject, ZodOpenApiHeadersObject } from 'zod-openapi'

type Described = ZodOpenApiHeaderObject & { description: string }

const text = { type: 'string' } as const

/** Where one of these is named, it is always there. */
const always = {
  'X-Request-Id': {
    description: 'Identifies this request in the error body, the audit log and our logs.',
    schema: { ...text, pattern: '^req_[0-9a-z]{26}$' },
  },
  'Retry-After': {
    description: 'Seconds until it is worth trying again.',
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: { description: 'Send it back as `If-None-Match` to be answered 304 while nothing has changed.', schema: text },
  'Cache-Control': { description: 'How long the answer may be kept, and by whom.', schema: text },
  'Content-Disposition': { description: 'The name under which a browser saves the file.', schema: text },
  'Set-Cookie': { description: 'The cookie of the session, or of the sign-in under way.', schema: text },
  Location: { description: 'Where to go.', schema: { ...text, format: 'uri' } },
  'Content-Security-Policy': { description: 'Nothing is loaded from elsewhere.', schema: text },
  'Referrer-Policy': { description: 'The address is a credential, and no other site learns it.', schema: text },
  Vary: { description: 'Request headers that the answer depends on.', schema: text },
  'X-Content-Type-Options': { description: '`nosniff`.', schema: { ...text, const: 'nosniff' } },
} satisfies Record<string, Described>

export type HeaderName = keyof typeof always

/** Where one of these is named, it may be there. */
const sometimes = {
  RateLimit: {
    description:
      'What is left of the calls of the month, and the seconds until it ends: `"quota";r=…;t=…`. Absent on a plan without a limit.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The calls of the month and its length in seconds: `"quota";q=…;w=…;pk=…`. Absent like `RateLimit`.',
    schema: text,
  },
  'Service-Terms-Upgrade-Required': {
    description:
      'The version of the terms of service that the organization has to accept. Absent when it has accepted them.',
    schema: text,
  },
  'No-Store': { description: '`no-store`: the answer is not to be kept.', schema: text },
} satisfies Record<string, Described>

type Name = HeaderName | keyof typeof sometimes

export const headerComponents: Record<string, ZodOpenApiHeaderObject> = {
  ...Object.fromEntries(Object.entries(always).map(([name, header]) => [name, { ...header, required: true }])),
  ...sometimes,
}

const nameOnTheWire = (name: Name) => (name === 'No-Store' ? 'Cache-Control' : name)

/** What comes later wins, so that a route may say more of a header than all answers do. */
export const headersOf = (...names: Name[]): ZodOpenApiHeadersObject =>
  Object.fromEntries(names.map((name) => [nameOnTheWire(name), { $ref: `#/components/headers/${name}` }]))

export const everyAnswer: Name[] = ['X-Request-Id', 'X-Content-Type-Options']
export const ofTheOrganization: Name[] = ['No-Store', 'RateLimit', 'RateLimit-Policy', 'Service-Terms-Upgrade-Required']
