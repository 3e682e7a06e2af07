// What the mails say. Plain words in ASCII, one link or code to a line of its own.
import type { App } from '../app.ts'

export type MailText = {
  kind: 'verification_code' | 'password_reset' | 'activation' | 'waitlist'
  to: string
  subject: string
  text: string
  /** How long it is of use, in milliseconds; undefined: for ever. */
  goodForMs?: number
}

const signature = '-- \nagent-calendar'

export const codeMail = (to: string, code: string, goodForMs: number): MailText => ({
  kind: 'verification_code',
  to,
  goodForMs,
  subject: 'Your verification code',
  text: `Your verification code is

${code}

It is good for ${goodForMs / 60_000} minutes. Your agent sends it to POST /v1/agent/verify, with the
key it got when it signed up.

You did not sign up an agent? Then somebody else gave your address, and
there is nothing you need to do.

${signature}`,
})

export const resetMail = (app: App, to: string, token: string, goodForMs: number): MailText => ({
  kind: 'password_reset',
  to,
  goodForMs,
  subject: 'Set a new password',
  text: `Somebody, probably you, asked for a new password. Set it here:

${app.config.baseUrl}/v1/auth/password/reset?token=${token}

The link is good for ${goodForMs / 60_000} minutes and works once. It signs you out everywhere.

You did not ask? Then leave it: your password stays as it is.

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

You did not join? Then somebody else gave your address, and there is
nothing you need to do.

${signature}`,
})
