// An invitation as the person sees it who has its link. Looking changes nothing, because mail scanners open links, too.
import type { App } from '../app.ts'
import { invalid } from '../errors.ts'
import { sha256 } from '../sealing/sealer.ts'
import { minuteMs } from '../shapes/durations.ts'
import { type OpenInvitation, openInvitationByHash } from './invitationQueries.ts'
import { presentOpenInvitation } from './presentInvitation.ts'

/** Of one network, over all doors to a token. */
export const invitationTries = { name: 'invitation_tokens', max: 60, windowMs: 15 * minuteMs }

/** By the digest of the token; undefined for every link that does not work, whatever the reason. */
export const findInvitation = async ({ sql, clock }: App, hash: Buffer): Promise<OpenInvitation | undefined> =>
  (await openInvitationByHash(sql, hash, clock.now()))[0]

export async function requireInvitation(app: App, hash: Buffer): Promise<OpenInvitation> {
  const found = await findInvitation(app, hash)
  if (found) return found
  app.metrics.invitations.inc({ outcome: 'dead_link' })
  throw invalid(
    'This invitation does not exist, was used, replaced or revoked, or has expired. Ask for another one.',
    'token',
  )
}

export const lookUpInvitation = async (app: App, token: string) =>
  presentOpenInvitation(await requireInvitation(app, sha256(token)))
