import { chooseOrganization, currentSession } from '../../src/accounts/currentSession.ts'
import { chooseOrganizationBody, sessionRecord } from '../../src/accounts/schema.ts'
import { eraseOrganization } from '../../src/erasure/erase.ts'
import { leaveEverywhere } from '../../src/members/leaveEverywhere.ts'
import { changeRole, listMembers } from '../../src/members/members.ts'
import { listMemberships, openAnother } from '../../src/members/memberships.ts'
import { changeOrganization, getOrganization } from '../../src/members/organization.ts'
import { isSelf, removeMember } from '../../src/members/removal.ts'
import {
  deleteOrganizationQuery,
  memberRecord,
  membershipList,
  openedOrganization,
  openOrganizationBody,
  organizationDetail,
  removeMemberQuery,
  updateMemberBody,
  updateOwnOrganizationBody,
} from '../../src/members/schema.ts'
import { listOf, pageQuery } from '../../src/shapes/lists.ts'
import { endedOwnSession, forgottenSession } from '../gate/session.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { Answer, route } from '../http/route.ts'

const tag = 'Members'
const access = 'session'

export const memberRoutes = [
  route({
    method: 'get',
    path: '/v1/auth/session',
    tag,
    operationId: 'getSession',
    summary: 'Get the session',
    description: 'Its account, the organization that it acts in and the role there.',
    access,
    role: 'self',
    success: { status: 200, schema: sessionRecord },
    errors: ['not_found'],
    run: ({ app, actor }) => currentSession(app, actor),
  }),
  route({
    method: 'patch',
    path: '/v1/auth/session',
    tag,
    operationId: 'chooseOrganization',
    summary: 'Choose the organization of the session',
    description: prose(
      'The session acts in it from now on, and later sign-ins of the account begin in it.',
      'One request names another organization with the header `X-Organization-Id`, so that two tabs do not disturb each other.',
    ),
    access,
    role: 'self',
    body: chooseOrganizationBody,
    success: { status: 200, schema: sessionRecord },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, body }) => chooseOrganization(app, actor, body),
  }),
  route({
    method: 'get',
    path: '/v1/auth/memberships',
    tag,
    operationId: 'listMemberships',
    summary: 'List the organizations of the account',
    description: 'In one answer without pages; the one that it joined first comes first.',
    access,
    role: 'self',
    success: { status: 200, schema: membershipList },
    errors: ['not_found'],
    run: ({ app, actor }) => listMemberships(app, actor),
  }),
  route({
    method: 'post',
    path: '/v1/auth/organizations',
    tag,
    operationId: 'openOrganization',
    summary: 'Make another organization',
    description: prose(
      'On the free plan, with the account as its owner. The address of the account must be proven (`address_unproven`).',
      'An account owns at most 3 organizations on free plans.',
    ),
    access,
    role: 'self',
    body: openOrganizationBody,
    success: { status: 201, schema: openedOrganization },
    errors: ['validation_error', 'address_unproven', 'not_found', 'tos_version_stale', 'quota_exceeded'],
    run: ({ app, actor, body }) => openAnother(app, actor, body),
  }),
  route({
    method: 'get',
    path: '/v1/auth/members',
    tag,
    operationId: 'listMembers',
    summary: 'List the members',
    description: prose(
      'The one who joined first comes first.',
      'Owners and admins also see who has a second factor, and when each was last seen.',
    ),
    access,
    query: pageQuery(),
    success: { status: 200, schema: listOf(memberRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, query }) => listMembers(app, actor, query),
  }),
  route({
    method: 'patch',
    path: '/v1/auth/members/:id',
    tag,
    operationId: 'updateMember',
    summary: 'Change the role of a member',
    description: prose(
      'It holds with the next request of the member, who gets a mail. A role above their own they neither give nor change.',
      'The only owner stays one (`last_owner`).',
    ),
    access,
    role: 'admin',
    reauthentication: 'always',
    params: idPath('mem'),
    body: updateMemberBody,
    success: { status: 200, schema: memberRecord },
    errors: ['validation_error', 'not_found', 'last_owner'],
    run: ({ app, actor, params, body }) => changeRole(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path: '/v1/auth/members/:id',
    tag,
    operationId: 'removeMember',
    summary: 'Remove a member, or leave',
    description: prose(
      'It is in force before the answer. The member’s sessions in this organization end, the calendars that they connected are',
      'disconnected, and they get a mail. An account without another organization is erased.',
      'The keys that they made stay, unless `revoke_keys=true`.',
      'With `me` or the own id every member leaves; anybody else is removed by owners and admins, owners by owners alone.',
      'The only owner stays (`last_owner`).',
    ),
    access,
    role: 'admin',
    reauthentication: 'always',
    isSelf,
    params: idPath('mem'),
    query: removeMemberQuery,
    success: { status: 204 },
    errors: ['not_found', 'last_owner'],
    async run({ app, actor, params, query }) {
      await removeMember(app, actor, params.id, { revokesKeys: query.revoke_keys ?? false })
      return isSelf(params, actor.member!) ? new Answer(204, undefined, endedOwnSession(app, actor)) : undefined
    },
  }),
  route({
    method: 'get',
    path: '/v1/auth/organization',
    tag,
    operationId: 'getOwnOrganization',
    summary: 'Get the organization and its policy',
    description: 'The policy says whether members need a second factor.',
    access,
    success: { status: 200, schema: organizationDetail },
    errors: ['not_found'],
    run: ({ app, actor }) => getOrganization(app, actor),
  }),
  route({
    method: 'patch',
    path: '/v1/auth/organization',
    tag,
    operationId: 'updateOwnOrganization',
    summary: 'Rename the organization, or set its policy',
    description: prose(
      'Admins may set the name. `require_second_factor` is for owners, who need a second factor of their own (`second_factor_missing`)',
      'and re-authentication. From the next request members without one reach only their own account; API keys are not touched.',
    ),
    access,
    role: 'admin',
    body: updateOwnOrganizationBody,
    success: { status: 200, schema: organizationDetail },
    errors: ['validation_error', 'reauthentication_required', 'not_found', 'second_factor_missing'],
    run: ({ app, actor, body }) => changeOrganization(app, actor, body),
  }),
  route({
    method: 'delete',
    path: '/v1/auth/organization',
    tag,
    operationId: 'deleteOrganization',
    summary: 'Delete the organization with all its members',
    description: prose(
      'Irreversible. `confirm` is its name. Its members get a mail; accounts without another organization are erased.',
      'The acceptances of the terms of service stay on record, without the organization.',
    ),
    access,
    role: 'owner',
    reauthentication: 'always',
    query: deleteOrganizationQuery,
    success: { status: 204 },
    errors: ['validation_error', 'not_found'],
    async run({ app, actor, query }) {
      await eraseOrganization(app, actor, query.confirm)
      return new Answer(204, undefined, endedOwnSession(app, actor))
    },
  }),
  route({
    method: 'delete',
    path: '/v1/auth/me',
    tag,
    operationId: 'deleteMe',
    summary: 'Leave every organization and erase the account',
    description: prose(
      'Irreversible. If an organization would have no owner left, nothing is done: `last_owner`, and `organizations` in the error',
      'has their ids.',
    ),
    access,
    role: 'self',
    reauthentication: 'always',
    success: { status: 204, headers: ['Set-Cookie'] },
    errors: ['not_found', 'last_owner'],
    async run({ app, actor }) {
      await leaveEverywhere(app, actor)
      return new Answer(204, undefined, forgottenSession(app))
    },
  }),
]
