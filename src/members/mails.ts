// Mails to members about their membership.
import type { Role } from '../actors/roles.ts'
import { type MailText, signature } from '../mails/texts.ts'
import { dayMs } from '../shapes/durations.ts'
import { shownName } from '../shapes/names.ts'

type About = { to: string; organization: string }

const may: Record<Role, string> = {
  owner: 'You may do everything there, and decide about members and the organization itself.',
  admin: 'You may do everything there, and invite and remove members, but not owners.',
  developer: 'You may read and change its calendars, events, agents and webhooks.',
  viewer: 'You may read what it has, and connect your own calendars.',
}

export const roleMail = ({ to, organization, role }: About & { role: Role }): MailText => ({
  kind: 'membership',
  to,
  subject: `Your role in ${shownName(organization)}`,
  text: `Your role in the organization

${shownName(organization)}

is now ${role}.
${may[role]}

${signature}`,
})

/** The same for a member who left, was removed, or whose organization was deleted. */
export const farewellMail = ({ to, organization }: About): MailText => ({
  kind: 'membership',
  to,
  validForMs: 3 * dayMs,
  subject: `You left ${shownName(organization)}`,
  text: `You are no longer a member of the organization

${shownName(organization)}

Calendars that you connected there are disconnected. An account that belongs to
no organization any more is erased.

${signature}`,
})
