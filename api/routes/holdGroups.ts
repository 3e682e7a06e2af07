import { createHoldGroup } from '../../src/events/createHoldGroup.ts'
import { confirmHoldGroup, releaseHoldGroup } from '../../src/events/endHoldGroup.ts'
import { renewHoldGroup } from '../../src/events/renewHoldGroup.ts'
import { explainQuery } from '../../src/events/schema.ts'
import { getGroup, listGroups } from '../../src/holdGroups/read.ts'
import {
  confirmGroupBody,
  createGroupBody,
  groupListQuery,
  groupRecord,
  renewGroupBody,
} from '../../src/holdGroups/schema.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const common = {
  tag: 'Hold groups',
  access: 'key',
  feature: 'temporal_holds',
  // Each member has a calendar of its own.
  local: 'asked',
} as const
const base = '/v1/hold-groups'
const path = `${base}/:id`
const ended = ['validation_error', 'plan_required', 'forbidden', 'not_found', 'hold_expired', 'not_a_hold'] as const

export const holdGroupRoutes = [
  route({
    ...common,
    method: 'post',
    path: base,
    operationId: 'createHoldGroup',
    summary: 'Hold times on several calendars, all or none',
    description: prose(
      'Each requirement gets holds on `need` of its calendars, or nothing happens (`hold_conflict`).',
      'Calendars where no other hold yields are taken first, then those where holds of a lower priority do,',
      'each in the order listed. `spare` more are held where nothing yields.',
      '',
      'With `require_free` (the default), a calendar counts only if it is free by the rules of availability.',
      'An active hold with the same or a higher `hold_priority` is in the way of a group, a lower one yields.',
      '',
      'The members are holds with a `holdGroupId`. They are confirmed and released as a group:',
      'one alone cannot be changed (`hold_in_group`).',
      "Each hold that is placed uses one of the month's events; there must be enough for all, spares included.",
      '',
      'With `explain=true`, the refusal has `blocked`, what is in the way on each calendar,',
      'and `alternatives`, times at which the group would fit.',
    ),
    spends: 'events',
    query: explainQuery,
    body: createGroupBody,
    success: { status: 201, schema: groupRecord },
    errors: [
      'validation_error',
      'bad_request',
      'plan_required',
      'forbidden',
      'calendar_not_found',
      'hold_conflict',
      'agent_decommissioned',
      'quota_exceeded',
    ],
    run: ({ app, actor, query, body }) => createHoldGroup(app, actor, body, query),
  }),
  route({
    ...common,
    method: 'get',
    path: base,
    operationId: 'listHoldGroups',
    summary: 'List hold groups',
    description: prose(
      'Newest first. The key of an agent sees the groups that are on its own calendars alone.',
      'A group whose time is up is `expired`, from that moment.',
    ),
    query: groupListQuery,
    success: { status: 200, schema: listOf(groupRecord) },
    errors: ['validation_error', 'plan_required'],
    run: ({ app, actor, query }) => listGroups(app, actor, query),
  }),
  route({
    ...common,
    method: 'get',
    path,
    operationId: 'getHoldGroup',
    summary: 'Read a hold group',
    description: 'The members of a requirement are in the order in which they were chosen.',
    params: idPath('hgr'),
    success: { status: 200, schema: groupRecord },
    errors: ['plan_required', 'forbidden', 'not_found'],
    run: ({ app, actor, params }) => getGroup(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'put',
    path: `${path}/confirm`,
    operationId: 'confirmHoldGroup',
    summary: 'Confirm a hold group',
    description: prose(
      'The first `need` members of each requirement become confirmed events, the others are released.',
      '`choose` prefers members by their calendars.',
      '',
      'If the group was created with `require_free`, the times must still be free (`not_free`); the group stays otherwise.',
      'Fails if the group has run out (`hold_expired`) or ended in another way (`not_a_hold`).',
    ),
    params: idPath('hgr'),
    query: explainQuery,
    body: confirmGroupBody,
    success: { status: 200, schema: groupRecord },
    errors: [...ended, 'not_free'],
    run: ({ app, actor, params, query, body }) => confirmHoldGroup(app, actor, params.id, body, query),
  }),
  route({
    ...common,
    method: 'put',
    path: `${path}/release`,
    operationId: 'releaseHoldGroup',
    summary: 'Release a hold group',
    description: 'Takes no body. All its holds are released, and others can use their times at once.',
    params: idPath('hgr'),
    success: { status: 200, schema: groupRecord },
    errors: ended,
    run: ({ app, actor, params }) => releaseHoldGroup(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'put',
    path: `${path}/renew`,
    operationId: 'renewHoldGroup',
    summary: 'Hold a renewable group for longer',
    description: prose(
      'Moves `hold_expires_at` of all its holds. It may not become earlier than it is, nor later than `renew_until`.',
      'Webhooks are not called; the change feed has `event.hold_renewed` for each hold.',
    ),
    params: idPath('hgr'),
    body: renewGroupBody,
    success: { status: 200, schema: groupRecord },
    errors: [...ended, 'not_renewable'],
    run: ({ app, actor, params, body }) => renewHoldGroup(app, actor, params.id, body),
  }),
]
