import { createKey, listKeys, revokeKey } from '../../src/keys/keys.ts'
import { createdKeyRecord, createKeyBody, keyList } from '../../src/keys/schema.ts'
import { route } from '../route.ts'
import { idPath } from './paths.ts'

const tag = 'API keys'

export const keyRoutes = [
  route({
    method: 'post',
    path: '/v1/keys',
    tag,
    summary: 'Create a key for one agent',
    access: 'organization',
    feature: 'scoped_keys',
    body: createKeyBody,
    success: { status: 201, schema: createdKeyRecord },
    errors: ['validation_error', 'plan_required', 'not_found', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, body }) => createKey(app, actor, body),
  }),
  route({
    method: 'get',
    path: '/v1/keys',
    tag,
    summary: 'List agent keys',
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
    summary: 'Revoke an agent key',
    description: 'The key is refused from the next request on, on every process.',
    access: 'organization',
    feature: 'scoped_keys',
    params: idPath('key'),
    success: { status: 204 },
    errors: ['plan_required', 'not_found'],
    run: ({ app, actor, params }) => revokeKey(app, actor, params.id),
  }),
]
