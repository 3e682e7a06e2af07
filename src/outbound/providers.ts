// Providers of identities and of calendars, as the environment names them.
import { z } from 'zod'

/** An object in JSON. */
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.issues.push({ code: 'custom', input: text, message: 'expected JSON' })
    return z.NEVER
  }
})

/** Providers of identities by name; plain HTTP is for a provider on this machine alone. */
export const oidcProviders = json.pipe(
  z.record(
    z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, 'expected names of lower-case letters, digits and -'),
    z.strictObject({
      issuer: z.union(
        [z.url({ protocol: /^https$/ }), z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/ })],
        'expected the https address of the issuer',
      ),
      client_id: z.string().min(1),
      client_secret: z.string().min(1),
    }),
  ),
)
export type OidcProvider = { issuer: string; client_id: string; client_secret: string }

/** Of a provider of calendars: it can point elsewhere, for example at an emulator. */
const address = z.url({ protocol: /^https?$/, error: 'expected an https address' })
const secret = z.string().min(1)

const google = z.strictObject({
  client_id: secret,
  client_secret: secret,
  issuer: address.default('https://accounts.google.com'),
  authorization_url: address.default('https://accounts.google.com/o/oauth2/v2/auth'),
  token_url: address.default('https://oauth2.googleapis.com/token'),
  revocation_url: address.default('https://oauth2.googleapis.com/revoke'),
  api_url: address.default('https://www.googleapis.com/calendar/v3'),
})

const microsoft = z.strictObject({
  client_id: secret,
  client_secret: secret,
  tenant: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'expected common, organizations, consumers or the identifier of a tenant')
    .default('common'),
  /** `{tenantid}` stands for the tenant that an ID token names. */
  issuer: z
    .string()
    .regex(/^https?:\/\//, 'expected an https address')
    .default('https://login.microsoftonline.com/{tenantid}/v2.0'),
  login_url: address.default('https://login.microsoftonline.com'),
  api_url: address.default('https://graph.microsoft.com/v1.0'),
})

export const calendarProviders = json.pipe(
  z.strictObject({ google: google.optional(), microsoft: microsoft.optional() }),
)
export type CalendarProviders = z.infer<typeof calendarProviders>
