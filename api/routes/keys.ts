import { createKey, listKeys, revokeKey } from '../../src/keys/keys.ts'
import { createOrganizationKey, regenerateOrganizationKey } from '../../src/keys/organizationKey.ts'
import { createdKeyRecord, createKeyBody, keyList, organizationKey } from '../../src/keys/schema.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'API keys'

export const keyRoutes = [
  route({
    method: 'post',
    path: '/v1/keys',
    tag,
    operationId: 'createAgentKey',
    summary: 'Create a key for one agent',
    description: prose(
      'The whole secret appears only in this answer.',
      "The key reads and writes the agent's own calendars, events, availability and iCal subscriptions;",
      'what belongs to the organization is `forbidden` to it.',
      'An agent may have several keys.',
    ),
    access: 'organization',
    feature: 'scoped_keys',
    body: createKeyBody,
    success: { status: 201, schema: createdKeyRecord },
    errors: ['validation_error', 'forbidden', 'plan_required', 'not_found', 'agent_decommissioned', 'quota_exceeded'],
    run: ({ app, actor, body }) => createKey(app, actor, body),
  }),
  route({
    method: 'get',
    path: '/v1/keys',
    tag,
    operationId: 'listAgentKeys',
    summary: 'List agent keys',
    description: prose(
      "All active keys of agents, newest first, in one answer without pages; the organization's own key is not listed.",
      'The audit log names a key by its `key_prefix`.',
    ),
    access: 'organization',
    feature: 'scoped_keys',
    success: { status: 200, schema: keyList },
    errors: ['plan_required'],
    run: ({ app, actor }) => listKeys(app, actor),
  }),
  route({
    method: 'delete',
    path: '/v1/keys/:id',
    tag,
    operationId: 'revokeAgentKey',
    summary: 'Revoke an agent key',
    description: 'Every process refuses the key from the next request on.',
    access: 'organization',
    feature: 'scoped_keys',
    params: idPath('key'),
    success: { status: 204 },
    errors: ['plan_required', 'not_found'],
    run: ({ app, actor, params }) => revokeKey(app, actor, params.id),
  }),
  route({
    method: 'post',
    path: '/v1/auth/keys',
    tag,
    operationId: 'createOrganizationKey',
    summary: "Create the organization's key",
    description: prose(
      'There is only one at a time, and its secret is shown only in this answer.',
      'If the installation requires it, the address must be proven first.',
    ),
    access: 'session',
    activated: true,
    success: { status: 201, schema: organizationKey },
    errors: ['validation_error', 'forbidden', 'conflict'],
    run: ({ app, actor }) => createOrganizationKey(app, actor),
  }),
  route({
    method: 'post',
    path: '/v1/auth/keys/regenerate',
    tag,
    operationId: 'regenerateOrganizationKey',
    summary: "Replace the organization's key",
    description: prose(
      'From now on every process refuses the old key; the new secret is shown only in this answer.',
      'Creates the first key if there is none. Keys of agents stay.',
    ),
    access: 'session',
    activated: true,
    success: { status: 201, schema: organizationKey },
    errors: ['validation_error', 'forbidden'],
    run: ({ app, actor }) => regenerateOrganizationKey(app, actor),
  }),
  route({
    method: 'post',
    path: '/v1/auth/keys/scoped',
    tag,
    operationId: 'createAgentKeyFromConsole',
    summary: 'Create a key for one agent from the console',
    description: prose(
      "The same as `POST /v1/keys`, with a console session instead of the organization's key.",
      'The secret is shown only in this answer.',
    ),
    access: 'session',
    activated: true,
    feature: 'scoped_keys',
    body: createKeyBody,
    success: { status: 201, schema: createdKeyRecord },
    errors: ['validation_error', 'forbidden', 'plan_required', 'not_found', 'agent_decommissioned', 'quota_exceeded'],
    run: ({ app, actor, body }) => createKey(app, actor, body),
  }),
]
