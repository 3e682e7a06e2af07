import { createKey, listKeys, revokeKey } from '../../src/keys/keys.ts'
import { createOrganizationKey, regenerateOrganizationKey } from '../../src/keys/organizationKey.ts'
import { createdKeyRecord, createKeyBody, keyList, organizationKey } from '../../src/keys/schema.ts'
import { idPath } from '../http/paths.ts'
import { route } from '../http/route.ts'

const tag = 'API keys'

export const keyRoutes = [
  route({
    method: 'post',
    path: '/v1/keys',
    tag,
    operationId: 'createAgentKey',
    summary: 'Create a key for one agent',
    description:
      "The whole secret is in this answer and never again. It reads and writes the agent's own calendars, events, availability and iCal subscriptions; everything of the organization is `forbidden` to it. An agent may have several.",
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
    description:
      "All living keys of agents, newest first, in one answer without pages; the organization's own key is not among them. `key_prefix` is what the audit log calls the key by.",
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
    description: 'The key is refused from the next request on, on every process.',
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
    description:
      'There is one at a time. The secret is shown only here. Where the installation asks for it, the address must be proven first.',
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
    description:
      'The old one is refused from now on, on every process, and the new secret is shown only here. Without a key it makes the first one. Keys of agents stay.',
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
    summary: 'Create a key for one agent, from the console',
    description:
      "The same as `POST /v1/keys`, for a console session in the place of the organization's key. The secret is shown only here.",
    access: 'session',
    activated: true,
    feature: 'scoped_keys',
    body: createKeyBody,
    success: { status: 201, schema: createdKeyRecord },
    errors: ['validation_error', 'forbidden', 'plan_required', 'not_found', 'agent_decommissioned', 'quota_exceeded'],
    run: ({ app, actor, body }) => createKey(app, actor, body),
  }),
]
