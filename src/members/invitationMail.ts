import type { Role } from '../actors/roles.ts'
import type { App } from '../app.ts'
import { type MailText, signature } from '../mails/texts.ts'
import { dayMs } from '../shapes/durations.ts'
import { shownName } from '../shapes/names.ts'
import { invitationMs } from './invitationRules.ts'

type Invited = { to: string; organization: string; role: Role; invitedBy: string; token: string }

const articles: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  developer: 'a developer',
  viewer: 'a viewer',
}

export const invitationMail = ({ config }: App, { to, organization, role, invitedBy, token }: Invited): MailText => ({
  kind: 'invitation',
  to,
  validForMs: invitationMs,
  subject: `Invitation to ${shownName(organization)}`,
  text: `${invitedBy} invites you to join, as ${articles[role]}, the organization

${shownName(organization)}

See what it is, and accept or not:

${config.baseUrl}/invitations/${token}

The link is valid for ${invitationMs / dayMs} days and works once, for this address only. You need
an account with it; the page makes one if you have none.

If you do not know who invites you, ignore this message: nothing happens.

${signature}`,
})
