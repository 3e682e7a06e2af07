import { answeredWith } from '../../src/actors/actor.ts'
import { invalid } from '../../src/errors.ts'
import {
  invitationListQuery,
  invitationRecord,
  inviteBody,
  lookedUpInvitation,
  lookUpBody,
} from '../../src/members/invitationSchema.ts'
import { listInvitations, revokeInvitation } from '../../src/members/invitations.ts'
import { invitationTries, lookUpInvitation, requireInvitation } from '../../src/members/openInvitation.ts'
import { createInvitation, resendInvitation } from '../../src/members/sendInvitation.ts'
import { sha256 } from '../../src/sealing/sealer.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { acceptAs } from '../../src/signup/acceptInvitation.ts'
import { acceptBody, joinedRecord, signedUpMember } from '../../src/signup/schema.ts'
import { signUpInvited } from '../../src/signup/signUpInvited.ts'
import { sessionOf } from '../gate/credential.ts'
import { requireSameOrigin, signedIn } from '../gate/session.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { Answer, route } from '../http/route.ts'

const tag = 'Invitations'
/** For the members who invite. */
const inviting = { tag, access: 'session', role: 'admin', activated: true } as const
const invitationPath = idPath('inv')

export const invitationRoutes = [
  route({
    ...inviting,
    method: 'post',
    path: '/v1/auth/invitations',
    operationId: 'createInvitation',
    summary: 'Invite a person to the organization',
    description: prose(
      'Mails a link that works once, for 7 days, and only for the account of this address: an existing one, or one that is made with the link.',
      'A member invites with a role up to their own (`role`).',
      'The address of the organization must be proven (`address_unproven`).',
      'Members and pending invitations together count towards the limit `members` of the plan.',
      'An address gets at most 5 mails an hour; an organization makes at most 100 invitations a day.',
    ),
    reauthentication: 'always',
    body: inviteBody,
    success: { status: 201, schema: invitationRecord },
    errors: [
      'validation_error',
      'role',
      'address_unproven',
      'already_member',
      'already_invited',
      'quota_exceeded',
      'rate_limit_error',
    ],
    run: ({ app, actor, body }) => createInvitation(app, actor, body),
  }),
  route({
    ...inviting,
    method: 'get',
    path: '/v1/auth/invitations',
    operationId: 'listInvitations',
    summary: 'List invitations',
    description: 'Newest first. Those that were accepted, were revoked or have expired are listed for 30 days more.',
    query: invitationListQuery,
    success: { status: 200, schema: listOf(invitationRecord) },
    errors: ['validation_error', 'role'],
    run: ({ app, actor, query }) => listInvitations(app, actor, query),
  }),
  // Our own words are not ids.
  route({
    method: 'post',
    path: '/v1/auth/invitations/lookup',
    tag,
    operationId: 'lookUpInvitation',
    summary: 'See what a mailed link invites to',
    description: prose(
      'Changes nothing.',
      'A token that never existed, or was used, replaced or revoked, or has expired, is `validation_error` with `param` `token`.',
      'A network may look up and accept 60 times in 15 minutes.',
    ),
    access: 'public',
    perAddress: invitationTries,
    body: lookUpBody,
    success: { status: 200, schema: lookedUpInvitation },
    errors: ['validation_error'],
    run: ({ app, body }) => lookUpInvitation(app, body.token),
  }),
  route({
    method: 'post',
    path: '/v1/auth/invitations/accept',
    tag,
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: prose(
      'With a session of the invited address (cookie or bearer token), its account joins.',
      'The session of another address is `wrong_account`, and the invitation stays pending.',
      'Without a session, `password` and `tos_version` make an account of the invited address that joins;',
      'an address that has an account already is `email_taken`: sign in first.',
      'Accepting proves the address. A token that does not work is answered as when it is looked up.',
      'An `Idempotency-Key` is ignored.',
    ),
    access: 'public',
    perAddress: invitationTries,
    body: acceptBody,
    success: { status: 201, schema: signedUpMember, headers: ['Set-Cookie', 'Cache-Control'] },
    also: [{ status: 200, schema: joinedRecord }],
    errors: [
      'validation_error',
      'authentication_error',
      'wrong_account',
      'email_taken',
      'tos_version_stale',
      'quota_exceeded',
    ],
    async run({ app, request, headers, body: { token, password, tos_version } }) {
      requireSameOrigin(app, headers)
      const session = await sessionOf(app, 'post', headers)
      const hash = sha256(token)
      if (session) return new Answer(200, await acceptAs(app, answeredWith({ request }, 200).request, hash, session))
      await requireInvitation(app, hash)
      if (password === undefined) throw invalid(`password: is required. ${signInHint}`, 'password')
      if (tos_version === undefined) throw invalid('tos_version: is required with a password.', 'tos_version')
      return signedIn(app, 201, await signUpInvited(app, request, { hash, password, tosVersion: tos_version }))
    },
  }),
  route({
    ...inviting,
    method: 'post',
    path: '/v1/auth/invitations/:id/resend',
    operationId: 'resendInvitation',
    summary: 'Send another link',
    description: prose(
      'Also for an invitation that has expired. The new link works for 7 days; the one before no longer works.',
      'The member who sends it is its `invited_by` from now on.',
      'An invitation that was accepted or revoked is `conflict`.',
    ),
    params: invitationPath,
    success: { status: 200, schema: invitationRecord },
    errors: [
      'role',
      'address_unproven',
      'not_found',
      'conflict',
      'already_member',
      'already_invited',
      'quota_exceeded',
      'rate_limit_error',
    ],
    run: ({ app, actor, params }) => resendInvitation(app, actor, params.id),
  }),
  route({
    ...inviting,
    method: 'delete',
    path: '/v1/auth/invitations/:id',
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description:
      'Its link no longer works. Revoking it twice has the effect of revoking it once. An accepted one is `conflict`.',
    params: invitationPath,
    success: { status: 204 },
    errors: ['role', 'not_found', 'conflict'],
    run: ({ app, actor, params }) => revokeInvitation(app, actor, params.id),
  }),
]

const signInHint = 'Sign in with the invited address, or send password and tos_version to make its account.'
