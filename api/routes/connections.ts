import { z } from 'zod'
import type { App } from '../../src/app.ts'
import { connectCaldav } from '../../src/connections/connectCaldav.ts'
import {
  getConnection,
  listConnections,
  listExternalCalendars,
  pauseConnection,
  removeConnection,
  resumeConnection,
  updateConnection,
} from '../../src/connections/connections.ts'
import { failedPath, finishOauth } from '../../src/connections/finishOauth.ts'
import { reauthorizeConnection } from '../../src/connections/reauthorize.ts'
import {
  connectCaldavBody,
  connectionDetail,
  connectionRecord,
  connectionState,
  externalCalendarRecord,
  reauthorizeBody,
  refreshed,
  removeConnectionQuery,
  sentToProvider,
  startOauthBody,
  updateConnectionBody,
} from '../../src/connections/schema.ts'
import { startOauth } from '../../src/connections/startOauth.ts'
import { ServiceError } from '../../src/errors.ts'
import { refreshConnection } from '../../src/externalCalendars/refresh.ts'
import { listOf, pageQuery } from '../../src/shapes/lists.ts'
import { pageActor } from '../gate/pageSession.ts'
import { anyQuery, idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { Answer, RawAnswer, route } from '../http/route.ts'

const tag = 'Calendar connections'
const all = '/v1/calendar-connections'
const path = `${all}/:id`
const provider = z.object({ provider: z.string().meta({ example: 'google' }) })

const found = (app: App, path: string) =>
  new RawAnswer(302, { Location: `${app.config.baseUrl}${path}`, 'Cache-Control': 'no-store' })

/** An unknown caller counts as anonymous; a failure to look is an error. */
function unlessOurFault(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error
}

export const connectionRoutes = [
  route({
    method: 'post',
    path: `${all}/oauth/:provider/start`,
    tag,
    operationId: 'startCalendarConnection',
    summary: 'Connect an account of Google or Microsoft',
    description: prose(
      'Send the human to `authorization_url`.',
      'A provider that this installation is not configured for is `not_found`.',
    ),
    access: 'session',
    role: 'viewer',
    activated: true,
    params: provider,
    body: startOauthBody,
    success: { status: 200, schema: sentToProvider },
    errors: ['validation_error', 'not_found', 'quota_exceeded'],
    run: ({ app, actor, params, body }) => startOauth(app, actor, params.provider, body),
  }),
  route({
    method: 'get',
    path: `${all}/oauth/:provider/callback`,
    tag,
    operationId: 'finishCalendarConnection',
    summary: 'The address that a provider redirects to',
    description: 'The browser calls it, not you. It always leads to one of our pages.',
    access: 'public',
    params: provider,
    query: anyQuery,
    takesAnyQuery: true,
    asksOthers: true,
    success: { status: 302, description: 'To one of our pages.', headers: ['Location', 'Cache-Control'] },
    errors: [],
    async run({ app, headers, request, params, query }) {
      const actor = await pageActor(app, headers, request, '/connect').catch(unlessOurFault)
      const path = await finishOauth(app, { actor, ip: request.ip }, params.provider, query)
      return found(app, path)
    },
    // A refusal before anything is read also leads to a page: a human comes back from the provider.
    showError: async ({ status }, { app }) => found(app, failedPath(status < 500 ? 'expired' : 'unavailable')),
  }),
  route({
    method: 'post',
    path: `${all}/caldav`,
    tag,
    operationId: 'connectCaldavAccount',
    summary: 'Connect a CalDAV account',
    description: prose(
      'Finds the calendars of the account. Nothing is read from them until some are selected.',
      'An account that is already connected is authorized again: the answer is 200 with the same `id`.',
    ),
    access: 'session',
    role: 'viewer',
    activated: true,
    body: connectCaldavBody,
    asksOthers: true,
    success: { status: 201, schema: connectionDetail },
    also: [{ status: 200, schema: connectionDetail, description: 'The account was connected before.' }],
    errors: [
      'validation_error',
      'credentials_rejected',
      'not_found',
      'conflict',
      'rate_limit_error',
      'quota_exceeded',
      'provider_error',
    ],
    run: async ({ app, actor, body }) => {
      const { isNew, detail } = await connectCaldav(app, actor, body)
      return new Answer(isNew ? 201 : 200, detail)
    },
  }),
  route({
    method: 'get',
    path: all,
    tag,
    operationId: 'listCalendarConnections',
    summary: 'List calendar connections',
    description: 'Newest first.',
    access: 'session',
    activated: true,
    query: pageQuery(),
    success: { status: 200, schema: listOf(connectionRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listConnections(app, actor, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    operationId: 'getCalendarConnection',
    summary: 'Read a calendar connection with its calendars',
    description: 'At most 250 calendars are kept of an account.',
    access: 'session',
    activated: true,
    params: idPath('con'),
    success: { status: 200, schema: connectionDetail },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getConnection(app, actor, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    operationId: 'updateCalendarConnection',
    summary: 'Select calendars, or change what a connection is for',
    description: prose(
      'A calendar that is unselected leaves all grants, and its copy is erased.',
      'A grant that is left without calendars is removed.',
    ),
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('con'),
    body: updateConnectionBody,
    success: { status: 200, schema: connectionState },
    errors: ['validation_error', 'not_found', 'conflict', 'scope_missing', 'in_use'],
    run: ({ app, actor, params, body }) => updateConnection(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'deleteCalendarConnection',
    summary: 'Disconnect an account',
    description: prose(
      'It leaves all grants, and everything that was stored of it is erased. Published copies of events that have not ended',
      'are withdrawn within 10 minutes, unless `keep_published=true`.',
    ),
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('con'),
    query: removeConnectionQuery,
    success: { status: 204 },
    errors: ['not_found'],
    run: ({ app, actor, params, query }) => removeConnection(app, actor, params.id, query.keep_published),
  }),
  route({
    method: 'get',
    path: `${path}/external-calendars`,
    tag,
    operationId: 'listExternalCalendars',
    summary: 'List the calendars of a connection',
    description: 'The primary one first, then by name.',
    access: 'session',
    activated: true,
    params: idPath('con'),
    query: pageQuery(),
    asksOthers: true,
    success: { status: 200, schema: listOf(externalCalendarRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listExternalCalendars(app, actor, params.id, query),
  }),
  route({
    method: 'post',
    path: `${path}/refresh`,
    tag,
    operationId: 'refreshCalendarConnection',
    summary: 'Read the selected calendars now',
    description: 'Answers when they have been read, after 10 seconds at most. Takes no body.',
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('con'),
    success: { status: 202, schema: refreshed },
    errors: ['not_found', 'conflict', 'rate_limit_error', 'provider_error'],
    run: ({ app, actor, params }) => refreshConnection(app, actor, params.id),
  }),
  route({
    method: 'post',
    path: `${path}/reauthorize`,
    tag,
    operationId: 'reauthorizeCalendarConnection',
    summary: 'Authorize the account of a connection again',
    description: prose(
      'With the password of the same CalDAV account; or, at other providers, by sending the human to `authorization_url`,',
      'with further `capabilities` if they are needed.',
      'Another account changes nothing: with CalDAV it is `conflict`, code `account_mismatch`.',
    ),
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('con'),
    body: reauthorizeBody,
    asksOthers: true,
    success: { status: 200, schema: z.union([connectionState, sentToProvider]) },
    errors: [
      'validation_error',
      'credentials_rejected',
      'not_found',
      'conflict',
      'account_mismatch',
      'rate_limit_error',
      'provider_error',
    ],
    run: ({ app, actor, params, body }) => reauthorizeConnection(app, actor, params.id, body),
  }),
  route({
    method: 'post',
    path: `${path}/pause`,
    tag,
    operationId: 'pauseCalendarConnection',
    summary: 'Pause the reading of an account',
    description: 'Its busy time counts as stale from now on, so agents offer no times. Takes no body.',
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('con'),
    success: { status: 200, schema: connectionState },
    errors: ['not_found', 'conflict'],
    run: ({ app, actor, params }) => pauseConnection(app, actor, params.id),
  }),
  route({
    method: 'post',
    path: `${path}/resume`,
    tag,
    operationId: 'resumeCalendarConnection',
    summary: 'Read a paused account again',
    description: 'Takes no body.',
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('con'),
    success: { status: 200, schema: connectionState },
    errors: ['not_found', 'conflict'],
    run: ({ app, actor, params }) => resumeConnection(app, actor, params.id),
  }),
]
