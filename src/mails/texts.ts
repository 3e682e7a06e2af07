// The texts of the mails: plain words in ASCII; a link or a code has a line of its own.
import type { App } from '../app.ts'
import { isoTime } from '../shapes/datetimes.ts'

export type MailText = {
  kind:
    | 'verification_code'
    | 'password_reset'
    | 'activation'
    | 'waitlist'
    | 'address_proof'
    | 'locked_out'
    | 'connection_trouble'
    | 'invitation'
    | 'approval_requested'
    | 'booking_confirmed'
    | 'booking_moved'
    | 'booking_cancelled'
    | 'security_notice'
    | 'membership'
  to: string
  subject: string
  text: string
  /** A file for the reader's calendar. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
  /** The validity of its link or code, in milliseconds; undefined: without one. A mail that is late is not sent. */
  validForMs?: number
}

export const signature = '-- \nagent-calendar'

export const codeMail = (to: string, code: string, validForMs: number): MailText => ({
  kind: 'verification_code',
  to,
  validForMs,
  subject: 'Your verification code',
  text: `Your verification code is

${code}

It is valid for ${validForMs / 60_000} minutes. Your agent sends it to POST /v1/agent/verify, with the
key it got when it signed up.

If you did not sign up an agent, somebody else gave your address, and there
is nothing you need to do.

${signature}`,
})

const lockOutWarning = `
This address has not been proven yet, so the new password also switches off the
keys, the webhooks and the booking pages that were made before, and replaces
the addresses of feeds. Are they yours? Then prove the address first, by the
link or the code that was mailed when you signed up: everything stays.
`

/** `locksOut`: the address is not proven yet, so the new password switches off everything made before. */
export const resetMail = (
  app: App,
  to: string,
  token: string,
  { validForMs, locksOut }: { validForMs: number; locksOut: boolean },
): MailText => ({
  kind: 'password_reset',
  to,
  validForMs,
  subject: 'Set a new password',
  text: `Somebody, probably you, asked for a new password. Set it here:

${app.config.baseUrl}/v1/auth/password/reset?token=${token}

The link is valid for ${validForMs / 60_000} minutes and works once. It signs you out everywhere.
${locksOut ? lockOutWarning : ''}
If you did not request this, ignore this message. Your password will not
change.

${signature}`,
})

export const activationMail = ({ config }: App, to: string): MailText => ({
  kind: 'activation',
  to,
  subject: 'Your organization is activated',
  text: `Your organization is off the waitlist: it can create keys and use the API
from now on.

The API is at

${config.baseUrl}

and its documentation at

${config.baseUrl}/docs

${signature}`,
})

export const waitlistMail = (to: string): MailText => ({
  kind: 'waitlist',
  to,
  subject: 'You are on the waitlist',
  text: `Thank you for your interest: you are on the waitlist. We write again as
soon as your organization is activated.

If you did not join, somebody else gave your address, and there is nothing
you need to do.

${signature}`,
})

export const verificationMail = ({ config }: App, to: string, token: string, validForMs: number): MailText => ({
  kind: 'address_proof',
  to,
  validForMs,
  subject: 'Is this your address?',
  text: `Somebody, probably you, signed up with this address. Prove that it is yours:

${config.baseUrl}/v1/auth/email/verify?token=${token}

The link is valid for ${validForMs / 3_600_000} hours and works once. You need the password you
chose, or the browser in which you signed up.

If you did not sign up, somebody else gave your address. The link lets you
take it back: set your own password, which switches off everything they made.

${signature}`,
})

const troubles = {
  broken: {
    subject: 'A calendar that you connected needs you',
    text: `The provider of a calendar that you connected refuses us. Until you sign in to
it again, agents cannot see your free time, and offer none.`,
  },
  reminder: {
    subject: 'A calendar that you connected still needs you',
    text: `The provider of a calendar that you connected has refused us for a week. Until
you sign in to it again, agents offer none of your time.`,
  },
  given_up: {
    subject: 'A calendar was disconnected',
    text: `The provider of a calendar that you connected has refused us for 90 days, so we
have erased our copy of it and your access. Agents still offer none of your
time until you connect the calendar again or disconnect it.`,
  },
}

/** Names neither the account nor the provider: mail is read in many places. */
export const connectionTroubleMail = ({ config }: App, to: string, kind: keyof typeof troubles): MailText => ({
  kind: 'connection_trouble',
  to,
  subject: troubles[kind].subject,
  text: `${troubles[kind].text}

Your connections are at

${config.baseUrl}/connect

${signature}`,
})

/** It quotes nothing of the request, which others wrote: the page does, as text. */
export const approvalMail = (to: string, url: string, validForMs: number): MailText => ({
  kind: 'approval_requested',
  to,
  validForMs,
  subject: 'An agent asks for your approval',
  text: `An agent of your organization wants to change a calendar. See what it asks,
and approve or reject it:

${url}

The link is valid for ${validForMs / 60_000} minutes and decides once. Anybody who has it can
decide, so do not pass it on.

${signature}`,
})

type LockedOut = { organizationKeys: number; agentKeys: number; webhooks: number; pages: number; feeds: number }

export const lockedOutMail = ({ config }: App, to: string, counts: LockedOut): MailText => ({
  kind: 'locked_out',
  to,
  subject: 'Parts of your organization were switched off',
  text: `You have proven that this address is yours. Somebody else may have made the
following before that, so it no longer works:

${linesOf(counts).join('\n')}

Calendars, events, agents and subscriptions to feeds have not changed. Switch
on again what is yours:

- a key of the organization: sign in, POST /v1/auth/keys
- a key of an agent: POST /v1/keys
- a webhook: PATCH /v1/webhooks/<id> with {"active": true}
- a booking page: PATCH /v1/booking-pages/<id> with {"active": true}
- the new address of a feed: ical_url in GET /v1/calendars?include=all

Check each of them first, and remove those that you do not recognise.
More is at

${config.baseUrl}/docs

${signature}`,
})

function linesOf({ organizationKeys, agentKeys, webhooks, pages, feeds }: LockedOut): string[] {
  const things: [count: number, one: string, several: string][] = [
    [organizationKeys, 'key of the organization, revoked', 'keys of the organization, revoked'],
    [agentKeys, 'key of an agent, revoked', 'keys of agents, revoked'],
    [webhooks, 'webhook, switched off', 'webhooks, switched off'],
    [pages, 'booking page, switched off', 'booking pages, switched off'],
    [feeds, 'address of a feed, replaced', 'addresses of feeds, replaced'],
  ]
  return things
    .filter(([count]) => count > 0)
    .map(([count, one, several]) => `- ${count} ${count === 1 ? one : several}`)
}

const securityNews = {
  on: 'second factor on',
  off: 'second factor off',
  reset: 'second factor reset',
  recovery_used: 'recovery code used',
  password_changed: 'password changed',
}
export type SecurityNews = keyof typeof securityNews

export const securityNotice = ({ config }: App, to: string, news: SecurityNews, at: Date): MailText => ({
  kind: 'security_notice',
  to,
  subject: 'Your sign-in has changed',
  text: `The sign-in of this address has changed:

${securityNews[news]}, ${isoTime(at)}

If this was you, there is nothing you need to do.

If it was not you, set a new password at once: sign in at
${config.baseUrl}/connect and ask for a link, or send your address to
POST /v1/auth/password/forgot. It signs everybody out.

${signature}`,
})
