// Access: every route of the table, called by each kind of caller. A route without a row fails.
import assert from 'node:assert/strict'
import { endWaits } from '../../src/changeFeed/waits.ts'
import { currentVersion, freshEmail, makeAccount } from '../../src/testing/accounts.ts'
import type { Answer } from '../../src/testing/answer.ts'
import * as make from '../../src/testing/factories.ts'
import { guestEnv, newAddress } from '../../src/testing/guests.ts'
import { adminToken, type TestService } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { routes } from '../routes.ts'

/**
 * `org`, `agent` and `session` act on what is their own, `other` (an agent's key) on what belongs to another agent of
 * its organization, `stranger` on another organization's. Those behind them act on their own again.
 */
const columns = [
  ...['nobody', 'badKey', 'admin', 'org', 'agent', 'other', 'stranger', 'session'],
  ...['waitlisted', 'sandbox', 'free', 'pro'],
] as const
type Column = (typeof columns)[number]

// nobody, bad key, admin | org, agent, other agent, stranger | session | waitlisted, sandbox, free, pro
const table: Record<string, string> = {
  'POST /v1/agents': '401 401 401 | 201 403 403 201 | 201 | 403 429 201 201',
  'GET /v1/agents': '401 401 401 | 200 200 200 200 | 200 | 403 200 200 200',
  'GET /v1/agents/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'PATCH /v1/agents/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/agents/:id': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  'POST /v1/calendars': '401 401 401 | 201 403 403 201 | 201 | 403 201 201 201',
  'POST /v1/agents/:agent_id/calendars': '401 401 401 | 201 201 403 404 | 201 | 403 201 201 201',
  'GET /v1/calendars': '401 401 401 | 200 200 200 200 | 200 | 403 200 200 200',
  'GET /v1/agents/:agent_id/calendars': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/calendars/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'PATCH /v1/calendars/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'POST /v1/calendars/:id/feed-address': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'POST /v1/calendars/:id/busy-feed': '401 401 401 | 201 201 403 404 | 201 | 403 201 201 201',
  'GET /v1/calendars/:id/busy-feed': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/calendars/:id/busy-feed': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  'DELETE /v1/calendars/:id': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  'GET /v1/calendars/:id/context': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'POST /v1/calendars/:cal_id/events': '401 401 401 | 201 201 403 404 | 201 | 403 201 201 201',
  'GET /v1/calendars/:cal_id/events': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/agents/:agent_id/events': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/events': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'GET /v1/calendars/:cal_id/events/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'PATCH /v1/calendars/:cal_id/events/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/calendars/:cal_id/events/:id': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  'GET /v1/events/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'PATCH /v1/events/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/events/:id': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  // Without a paid plan there are no holds, so nothing is confirmed or released then.
  'PUT /v1/events/:id/confirm': '401 401 401 | 200 200 403 404 | 200 | 403 409 409 200',
  'PUT /v1/events/:id/release': '401 401 401 | 200 200 403 404 | 200 | 403 409 409 200',
  'GET /v1/calendars/:id/deleted-events': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/events/:id/history': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'POST /v1/events/:id/restore': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'POST /v1/hold-groups': '401 401 401 | 201 201 403 404 | 201 | 403 403 403 201',
  'GET /v1/hold-groups': '401 401 401 | 200 200 200 200 | 200 | 403 403 403 200',
  'GET /v1/hold-groups/:id': '401 401 401 | 200 200 403 404 | 200 | 403 403 403 200',
  'PUT /v1/hold-groups/:id/confirm': '401 401 401 | 200 200 403 404 | 200 | 403 403 403 200',
  'PUT /v1/hold-groups/:id/release': '401 401 401 | 200 200 403 404 | 200 | 403 403 403 200',
  'PUT /v1/hold-groups/:id/renew': '401 401 401 | 200 200 403 404 | 200 | 403 403 403 200',
  'GET /v1/calendars/:id/availability': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/agents/:id/availability': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/calendars/:id/availability/check': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/agents/:id/availability/check': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/availability': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'PUT /v1/calendars/:id/availability-rules': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/calendars/:id/availability-rules': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/calendars/:id/availability-rules': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  'POST /v1/keys': '401 401 401 | 201 403 403 404 | 201 | 403 403 403 201',
  'GET /v1/keys': '401 401 401 | 200 403 403 200 | 200 | 403 403 403 200',
  'PATCH /v1/keys/:id': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'POST /v1/keys/:id/rotate': '401 401 401 | 201 403 403 404 | 201 | 403 403 403 201',
  'DELETE /v1/keys/:id': '401 401 401 | 204 403 403 404 | 204 | 403 403 403 204',
  'GET /v1/approvals': '401 401 401 | 200 200 200 200 | 200 | 403 403 403 200',
  'GET /v1/approvals/:id': '401 401 401 | 200 200 403 404 | 200 | 403 403 403 200',
  'POST /v1/approvals/:id/approve': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'POST /v1/approvals/:id/reject': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'POST /v1/scheduling/proposals': '401 401 401 | 201 403 403 404 | 201 | 403 403 403 201',
  'GET /v1/scheduling/proposals': '401 401 401 | 200 403 403 200 | 200 | 403 403 403 200',
  'GET /v1/scheduling/proposals/:id': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'POST /v1/scheduling/proposals/:id/respond': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'POST /v1/scheduling/proposals/:id/resolve': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'POST /v1/scheduling/proposals/:id/cancel': '401 401 401 | 200 403 403 404 | 200 | 403 403 403 200',
  'POST /v1/agents/:agent_id/ical-subscriptions': '401 401 401 | 201 201 403 404 | 201 | 403 201 201 201',
  'GET /v1/agents/:agent_id/ical-subscriptions': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/ical-subscriptions': '401 401 401 | 200 200 200 200 | 200 | 403 200 200 200',
  'GET /v1/ical-subscriptions/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'PATCH /v1/ical-subscriptions/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'POST /v1/ical-subscriptions/:id/sync': '401 401 401 | 202 202 403 404 | 202 | 403 202 202 202',
  'DELETE /v1/ical-subscriptions/:id': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  'POST /v1/webhooks': '401 401 401 | 201 403 403 201 | 201 | 403 201 201 201',
  'GET /v1/webhooks': '401 401 401 | 200 403 403 200 | 200 | 403 200 200 200',
  'GET /v1/webhooks/:id': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'PATCH /v1/webhooks/:id': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/webhooks/:id': '401 401 401 | 204 403 403 404 | 204 | 403 204 204 204',
  'GET /v1/webhooks/:id/deliveries': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'GET /v1/webhooks/:id/deliveries/:whd': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'POST /v1/webhooks/:id/deliveries/:whd/resend': '401 401 401 | 202 403 403 404 | 202 | 403 202 202 202',
  'POST /v1/webhooks/:id/replay': '401 401 401 | 202 403 403 404 | 202 | 403 202 202 202',
  'GET /v1/webhooks/:id/replays/:rpl': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'POST /v1/webhooks/:id/test': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'POST /v1/webhooks/:id/secret/rotate': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/webhooks/:id/secret/previous': '401 401 401 | 204 403 403 404 | 204 | 403 204 204 204',
  'GET /v1/webhooks/:id/health': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'GET /v1/webhooks/:id/health/series': '401 401 401 | 200 403 403 404 | 200 | 403 200 200 200',
  'POST /v1/booking-pages': '401 401 401 | 201 201 403 404 | 201 | 403 201 201 201',
  'POST /v1/booking-pages/preview': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/booking-pages': '401 401 401 | 200 200 200 200 | 200 | 403 200 200 200',
  'GET /v1/booking-pages/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/booking-pages/:id/bookings': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'PATCH /v1/booking-pages/:id': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'DELETE /v1/booking-pages/:id': '401 401 401 | 204 204 403 404 | 204 | 403 204 204 204',
  'POST /v1/calendars/:id/connection-links': '401 401 401 | 201 201 403 404 | 201 | 403 429 201 201',
  'GET /v1/connection-links/:id': '401 401 401 | 200 200 403 404 | 200 | 403 404 200 200',
  'DELETE /v1/connection-links/:id': '401 401 401 | 204 204 403 404 | 204 | 403 404 204 204',
  'GET /v1/time': '401 401 401 | 200 200 200 200 | 200 | 403 200 200 200',
  'GET /v1/usage': '401 401 401 | 200 403 403 200 | 200 | 403 200 200 200',
  'GET /v1/changes': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/changes/stream': '401 401 401 | 200 200 403 404 | 200 | 403 200 200 200',
  'GET /v1/audit-log': '401 401 401 | 200 403 403 200 | 200 | 403 200 200 200',
  'GET /v1/requests': '401 401 401 | 200 403 403 200 | 200 | 403 200 200 200',
  'POST /v1/feedback': '401 401 401 | 202 202 202 202 | 202 | 403 202 202 202',
  'POST /v1/terms/accept': '401 401 401 | 200 403 403 200 | 200 | 403 200 200 200',
  // A wrong code: a caller who may try one gets that answer.
  'POST /v1/agent/verify': '401 401 401 | 400 403 403 400 | 400 | 403 400 400 400',

  // The slug or the token in the path is the credential, with any other headers. A stopped organization has no public pages.
  'GET /ical/:ical_token.ics': '200 200 200 | 200 200 200 200 | 200 | 404 200 200 200',
  'GET /book/:slug': '200 200 200 | 200 200 200 200 | 200 | 404 200 200 200',
  'GET /book/:slug/slots': '200 200 200 | 200 200 200 200 | 200 | 404 200 200 200',
  'POST /book/:slug': '201 201 201 | 201 201 201 201 | 201 | 404 201 201 201',
  'GET /booking/:token': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'GET /booking/:token/booking.ics': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /booking/:token/cancel': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /booking/:token/reschedule': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'GET /book/:slug/bookings/:receipt.ics': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'GET /v1/auth/providers': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  'GET /v1/plans': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  'GET /v1/auth/terms/current': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  'GET /v1/auth/password/reset': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  'GET /v1/auth/signin/factor': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  'GET /v1/auth/email/verify': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  'GET /v1/auth/oauth/:provider': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'GET /v1/auth/oauth/:provider/callback': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  // It leads to a page that says why it leads nowhere.
  'GET /v1/calendar-connections/oauth/:provider/callback': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  // Any body is accepted, and only notifications of a provider are used.
  'POST /v1/calendar-connections/push/google': '202 202 202 | 202 202 202 202 | 202 | 202 202 202 202',
  'POST /v1/calendar-connections/push/microsoft/:channel': '202 202 202 | 202 202 202 202 | 202 | 202 202 202 202',
  'GET /approve/:token': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /approve/:token': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /approve/:token/signin': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'GET /connect/failed': '200 200 200 | 200 200 200 200 | 200 | 200 200 200 200',
  'POST /connect/password': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /connect/signin': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'GET /connect/:token': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /connect/:token/signin': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /connect/:token/signout': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /connect/:token/begin': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /connect/:token/decline': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  // An empty body: it was looked at.
  'POST /v1/auth/signup': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/auth/signin': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/auth/signin/factor': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/auth/password/forgot': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/auth/password/reset': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/auth/email/verify': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/auth/invitations/lookup': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/auth/invitations/accept': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'GET /invitations/:token': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /invitations/:token/accept': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /invitations/:token/signup': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /invitations/:token/signin': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /invitations/:token/signout': '404 404 404 | 404 404 404 404 | 404 | 404 404 404 404',
  'POST /v1/agent/sign-up': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',
  'POST /v1/waitlist': '400 400 400 | 400 400 400 400 | 400 | 400 400 400 400',

  'GET /v1/auth/checklist': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'GET /v1/auth/me': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'POST /v1/auth/email/link': '401 401 401 | 401 401 401 401 | 202 | 401 401 401 401',
  'POST /v1/auth/signout': '401 401 401 | 401 401 401 401 | 204 | 401 401 401 401',
  'GET /v1/auth/sessions': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'DELETE /v1/auth/sessions': '401 401 401 | 401 401 401 401 | 204 | 401 401 401 401',
  'DELETE /v1/auth/sessions/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/auth/password/change': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'POST /v1/auth/reauthenticate': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'DELETE /v1/auth/reauthenticate': '401 401 401 | 401 401 401 401 | 204 | 401 401 401 401',
  'GET /v1/auth/factors': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'POST /v1/auth/factors/totp': '401 401 401 | 401 401 401 401 | 201 | 401 401 401 401',
  'POST /v1/auth/factors/totp/confirm': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'DELETE /v1/auth/factors/totp': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/auth/factors/recovery-codes': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/auth/keys': '401 401 401 | 401 401 401 401 | 409 | 401 401 401 401',
  'GET /v1/auth/keys': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  // The key of an agent: it is not one of the organization itself.
  'PATCH /v1/auth/keys/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/auth/keys/:id/rotate': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'DELETE /v1/auth/keys/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'DELETE /v1/auth/keys/previous': '401 401 401 | 401 401 401 401 | 204 | 401 401 401 401',
  'POST /v1/auth/keys/scoped': '401 401 401 | 401 401 401 401 | 201 | 401 401 401 401',
  'POST /v1/auth/keys/regenerate': '401 401 401 | 401 401 401 401 | 201 | 401 401 401 401',
  'PATCH /v1/auth/terms': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'GET /v1/auth/export': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'POST /v1/auth/invitations': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'GET /v1/auth/invitations': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'POST /v1/auth/invitations/:id/resend': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'DELETE /v1/auth/invitations/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  // Nothing is connected, and bodies are empty.
  'GET /connect': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'GET /connect/links/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /connect/links/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /connect/connections/:id/:action': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  // It leads to the page that asks to sign in.
  'POST /connect/signout': '401 401 401 | 401 401 401 401 | 401 | 401 401 401 401',
  'POST /v1/calendar-connections/oauth/:provider/start': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'GET /v1/calendars/:id/external-destination': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'PUT /v1/calendars/:id/external-destination': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'DELETE /v1/calendars/:id/external-destination': '401 401 401 | 401 401 401 401 | 204 | 401 401 401 401',
  'POST /v1/calendar-connections/caldav': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'GET /v1/calendar-connections': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'GET /v1/calendar-connections/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'DELETE /v1/calendar-connections/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'GET /v1/calendar-connections/:id/external-calendars': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/calendar-connections/:id/refresh': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/calendar-connections/:id/reauthorize': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/calendar-connections/:id/pause': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'POST /v1/calendar-connections/:id/resume': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'PATCH /v1/calendar-connections/:id': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'POST /v1/availability-grants': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'GET /v1/availability-grants': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'GET /v1/availability-grants/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'PATCH /v1/availability-grants/:id': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'DELETE /v1/availability-grants/:id': '401 401 401 | 401 401 401 401 | 404 | 401 401 401 401',
  'GET /v1/auth/session': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'PATCH /v1/auth/session': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'GET /v1/auth/memberships': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  // The address is not proven.
  'POST /v1/auth/organizations': '401 401 401 | 401 401 401 401 | 403 | 401 401 401 401',
  'GET /v1/auth/members': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  // The only owner.
  'PATCH /v1/auth/members/:id': '401 401 401 | 401 401 401 401 | 409 | 401 401 401 401',
  'DELETE /v1/auth/members/:id': '401 401 401 | 401 401 401 401 | 409 | 401 401 401 401',
  'GET /v1/auth/organization': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  'PATCH /v1/auth/organization': '401 401 401 | 401 401 401 401 | 200 | 401 401 401 401',
  // Without its name.
  'DELETE /v1/auth/organization': '401 401 401 | 401 401 401 401 | 400 | 401 401 401 401',
  'DELETE /v1/auth/me': '401 401 401 | 401 401 401 401 | 409 | 401 401 401 401',
  'DELETE /v1/auth/account': '401 401 401 | 401 401 401 401 | 204 | 401 401 401 401',

  'POST /v1/admin/session': '204 204 204 | 204 204 204 204 | 204 | 204 204 204 204',
  'DELETE /v1/admin/session': '204 204 204 | 204 204 204 204 | 204 | 204 204 204 204',
  'GET /v1/admin/queues': '401 401 200 | 401 401 401 401 | 401 | 401 401 401 401',
  'POST /v1/admin/orgs': '401 401 201 | 401 401 401 401 | 401 | 401 401 401 401',
  'GET /v1/admin/orgs': '401 401 200 | 401 401 401 401 | 401 | 401 401 401 401',
  'GET /v1/admin/orgs/:id': '401 401 200 | 401 401 401 401 | 401 | 401 401 401 401',
  'PATCH /v1/admin/orgs/:id': '401 401 200 | 401 401 401 401 | 401 | 401 401 401 401',
  'POST /v1/admin/orgs/:id/activate': '401 401 200 | 401 401 401 401 | 401 | 401 401 401 401',
  'POST /v1/admin/accounts/reset-factor': '401 401 400 | 401 401 401 401 | 401 | 401 401 401 401',
  'POST /v1/admin/terms': '401 401 201 | 401 401 401 401 | 401 | 401 401 401 401',
}

const test = serviceTest({ env: guestEnv })
  .extend('stranger', perFile, ({ service }) => make.makeOrganization(service, { plan: 'custom' }))
  .extend('account', perFile, ({ service }) => newAccount(service))
  .extend('shared', perFile, ({ service }) => newShared(service))
  // Of each kind one that is refused like nobody, again and again.
  .extend('refused', perFile, ({ service, account }) => {
    const owners = new Map<Column, Promise<Owner>>()
    return (column: Column) => {
      const found = owners.get(column) ?? ownerFor(service, account, column)
      owners.set(column, found)
      return found
    }
  })

/** Each call comes from an address of its own, so that the limits per address stay out of it. */
function callAs(
  { call }: TestService,
  key: string | undefined,
  method: string,
  path: string,
  body: object = {},
): Promise<Answer> {
  const headers = { 'x-forwarded-for': newAddress() }
  return call(method, path, { key, headers, ...(method !== 'GET' && { body }) })
}

/** Numbers what must have a name of its own. */
let count = 0

type Owner = { id: string; key: string; isPaid: boolean; token?: string; agent?: { id: string } }

async function newAccount(service: TestService): Promise<Owner> {
  const { orgId, token } = await makeAccount(service, { email: freshEmail('owner') })
  await callAs(service, adminToken, 'PATCH', `/v1/admin/orgs/${orgId}`, { plan: 'custom' })
  const { body } = await callAs(service, token, 'POST', '/v1/auth/keys')
  return { id: orgId, key: body.key, isPaid: true, token }
}

type Shared = Owner & { agentKey: string; otherKey: string }

/** The organization of most rows, with the keys of its agent and of another one. */
async function newShared(service: TestService): Promise<Shared> {
  const { id, key } = await make.makeOrganization(service, { plan: 'custom' })
  const [agent, other] = [await make.makeAgent(service, key), await make.makeAgent(service, key)]
  const keyOf = ({ id }: { id: string }) => make.makeAgentKey(service, key, id)
  return { id, key, isPaid: true, agent, agentKey: await keyOf(agent), otherKey: await keyOf(other) }
}

/** They act on what is the shared organization's. */
const actsOnShared = (column: Column) => !['session', 'waitlisted', 'sandbox', 'free', 'pro'].includes(column)

/** An organization whose things are acted upon; `endsAccount`: the session, or its only agent, may end with the call. */
async function ownerFor(service: TestService, account: Owner, column: Column, endsAccount = false): Promise<Owner> {
  if (column === 'sandbox') {
    const tos_version = await currentVersion(service)
    const body = { email: `agent@${count++}.example.com`, agent_name: 'Agent', tos_version }
    const { body: signedUp } = await callAs(service, undefined, 'POST', '/v1/agent/sign-up', body)
    return { id: signedUp.org_id, key: signedUp.api_key, isPaid: false }
  }
  if (column === 'session') return endsAccount ? newAccount(service) : account
  const plan = column === 'free' ? 'free' : 'pro'
  return { ...(await make.makeOrganization(service, { plan })), isPaid: plan === 'pro' }
}

/** Records that a route may need, made on demand, in the organization that is acted upon. */
function worldOf(service: TestService, owner: Owner) {
  const { key } = owner
  let agentOnce: Promise<{ id: string }> | undefined
  const agent = () => {
    if (owner.agent) return Promise.resolve(owner.agent)
    agentOnce ??= callAs(service, key, 'GET', '/v1/agents').then(
      ({ body }) => body.data?.[0] ?? make.makeAgent(service, key, { name: 'Owner' }),
    )
    return agentOnce
  }
  const calendar = async () => make.makeCalendar(service, key, (await agent()).id)
  const page = async () => created('/v1/booking-pages', { calendar_id: (await calendar()).id, title: 'Call' })
  async function created(path: string, body: object) {
    const answer = await callAs(service, key, 'POST', path, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  return {
    service,
    owner,
    agent,
    calendar,
    page,
    async event() {
      const { id } = await calendar()
      return make.makeEvent(service, key, id)
    },
    async deletedEvent() {
      const event = await this.event()
      await callAs(service, key, 'DELETE', `/v1/events/${event.id}`)
      return event
    },
    async hold() {
      const { id } = await calendar()
      return owner.isPaid ? make.makeHold(service, key, id) : make.makeEvent(service, key, id)
    },
    /** Only paid plans have groups. */
    async groupBody() {
      const times = { start_time: make.ahead(service, 60), end_time: make.ahead(service, 90) }
      const until = { hold_expires_at: make.ahead(service, 5), renewable: true }
      return { title: 'Together', ...times, ...until, requirements: [{ calendar_ids: [(await calendar()).id] }] }
    },
    async group() {
      return owner.isPaid ? created('/v1/hold-groups', await this.groupBody()) : { id: 'none' }
    },
    async rules() {
      const { id } = await calendar()
      await callAs(service, key, 'PUT', `/v1/calendars/${id}/availability-rules`)
      return id
    },
    agentKey: async () => (owner.isPaid ? created('/v1/keys', { agent_id: (await agent()).id }) : { id: 'key_none' }),
    async approval() {
      if (!owner.isPaid) return { id: 'apr_none' }
      const { id } = await agent()
      const guarded = await make.makeAgentKey(service, key, id, { approval: { on: 'all' } })
      const { body } = await callAs(service, guarded, 'PATCH', `/v1/agents/${id}`, { name: 'Asked' })
      return body.approval
    },
    webhook: () => make.makeWebhook(service, key, `https://example.com/${count++}`, ['agent.created']),
    /** Of a change of the agent, and not sent. */
    async delivery() {
      const webhook = await make.makeWebhook(service, key, `https://example.com/${count++}`, ['agent.updated'])
      await callAs(service, key, 'PATCH', `/v1/agents/${(await agent()).id}`, { name: 'Renamed' })
      const { body } = await callAs(service, key, 'GET', `/v1/webhooks/${webhook.id}/deliveries`)
      return { webhook, ...body.data[0] }
    },
    subscription: async () =>
      created(`/v1/agents/${(await agent()).id}/ical-subscriptions`, {
        calendar_id: (await calendar()).id,
        url: 'https://example.com/feed.ics',
      }),
    /** The sandbox has none. */
    async link() {
      const path = `/v1/calendars/${(await calendar()).id}/connection-links`
      const { status, body } = await callAs(service, key, 'POST', path, {})
      return { id: status === 201 ? body.id : 'csl_none' }
    },
    /** One of two participants has accepted. */
    async proposal() {
      if (!owner.isPaid) return { id: 'spr_none', slots: [{ id: 'slt_none' }], silent: 'agt_none' }
      const [organizer, silent] = [await agent(), await make.makeAgent(service, key)]
      const { id } = await make.makeProposal(service, key, {
        organizer_agent_id: organizer.id,
        participant_agent_ids: [organizer.id, silent.id],
        calendar_id: (await calendar()).id,
      })
      const { body } = await callAs(service, key, 'GET', `/v1/scheduling/proposals/${id}`)
      await callAs(service, key, 'POST', `/v1/scheduling/proposals/${id}/respond`, {
        agent_id: organizer.id,
        response: 'accept',
        selected_slot_id: body.slots[0].id,
      })
      return { ...body, silent: silent.id }
    },
  }
}
type World = ReturnType<typeof worldOf>

const window = ({ service }: World) => `start=${make.ahead(service, 0)}&end=${make.ahead(service, 600)}`
const slot = ({ service }: World) => ({ start_time: make.ahead(service, 60), end_time: make.ahead(service, 90) })

/** The path with its identifiers, and the body, where they are not plain. */
const requests: Record<string, (world: World) => Promise<{ path?: string; body?: object }>> = {
  'POST /v1/agents': async () => ({ body: { name: 'New', type: 'ai' } }),
  'PATCH /v1/agents/:id': async () => ({ body: { name: 'Renamed' } }),
  'POST /v1/calendars': async () => ({ body: { name: 'New', timezone: 'UTC' } }),
  'POST /v1/agents/:agent_id/calendars': async () => ({ body: { name: 'New', timezone: 'UTC' } }),
  'PATCH /v1/calendars/:id': async () => ({ body: { name: 'Renamed' } }),
  'POST /v1/calendars/:cal_id/events': async (world) => ({ body: { title: 'Event', ...slot(world) } }),
  'GET /v1/events': async (world) => ({
    path: `/v1/events?calendar_ids=${(await world.calendar()).id}&${window(world)}`,
  }),
  'GET /v1/calendars/:cal_id/events/:id': ofEvent(),
  'PATCH /v1/calendars/:cal_id/events/:id': ofEvent({ title: 'Renamed' }),
  'DELETE /v1/calendars/:cal_id/events/:id': ofEvent(),
  'GET /v1/events/:id': ofEventAlone(),
  'PATCH /v1/events/:id': ofEventAlone({ title: 'Renamed' }),
  'DELETE /v1/events/:id': ofEventAlone(),
  'PUT /v1/events/:id/confirm': async (world) => ({ path: `/v1/events/${(await world.hold()).id}/confirm` }),
  'PUT /v1/events/:id/release': async (world) => ({ path: `/v1/events/${(await world.hold()).id}/release` }),
  'GET /v1/events/:id/history': async (world) => ({ path: `/v1/events/${(await world.event()).id}/history` }),
  'POST /v1/events/:id/restore': async (world) => ({ path: `/v1/events/${(await world.deletedEvent()).id}/restore` }),
  'POST /v1/hold-groups': async (world) => ({ body: await world.groupBody() }),
  'PUT /v1/hold-groups/:id/renew': async ({ service }) => ({ body: { hold_expires_at: make.ahead(service, 10) } }),
  'PATCH /v1/keys/:id': async () => ({ body: { label: 'Renamed' } }),
  'PATCH /v1/auth/keys/:id': async () => ({ body: { name: 'Renamed' } }),
  'GET /v1/changes': async (world) => ({ path: `/v1/changes?calendar_ids=${(await world.calendar()).id}` }),
  'GET /v1/changes/stream': async (world) => ({
    path: `/v1/changes/stream?calendar_ids=${(await world.calendar()).id}`,
  }),
  'GET /v1/calendars/:id/availability': async (world) => ({
    path: `/v1/calendars/${(await world.calendar()).id}/availability?${window(world)}`,
  }),
  'GET /v1/agents/:id/availability': async (world) => ({
    path: `/v1/agents/${(await world.agent()).id}/availability?${window(world)}`,
  }),
  'GET /v1/calendars/:id/availability/check': async (world) => ({
    path: `/v1/calendars/${(await world.calendar()).id}/availability/check?${window(world)}`,
  }),
  'GET /v1/agents/:id/availability/check': async (world) => ({
    path: `/v1/agents/${(await world.agent()).id}/availability/check?${window(world)}`,
  }),
  'GET /v1/time': async () => ({ path: '/v1/time?tz=Europe/Berlin' }),
  'GET /v1/availability': async (world) => ({
    path: `/v1/availability?agents=${(await world.agent()).id}&${window(world)}`,
  }),
  'GET /v1/calendars/:id/busy-feed': async (world) => {
    const path = `/v1/calendars/${(await world.calendar()).id}/busy-feed`
    await callAs(world.service, world.owner.key, 'POST', path)
    return { path }
  },
  'GET /v1/calendars/:id/availability-rules': ofRules,
  'DELETE /v1/calendars/:id/availability-rules': ofRules,
  'POST /v1/keys': async (world) => ({ body: { agent_id: (await world.agent()).id } }),
  'POST /v1/auth/keys/scoped': async (world) => ({ body: { agent_id: (await world.agent()).id } }),
  'POST /v1/scheduling/proposals': async (world) => {
    const { id } = await world.agent()
    return {
      body: {
        title: 'Review',
        organizer_agent_id: id,
        participant_agent_ids: [id],
        calendar_id: (await world.calendar()).id,
        slots: [slot(world)],
      },
    }
  },
  'POST /v1/scheduling/proposals/:id/respond': async (world) => {
    const { id, silent } = await world.proposal()
    return { path: `/v1/scheduling/proposals/${id}/respond`, body: { agent_id: silent, response: 'counter' } }
  },
  'POST /v1/agents/:agent_id/ical-subscriptions': async (world) => ({
    body: { calendar_id: (await world.calendar()).id, url: 'https://example.com/feed.ics' },
  }),
  'PATCH /v1/ical-subscriptions/:id': async () => ({ body: { label: 'Renamed' } }),
  'POST /v1/webhooks': async () => ({ body: { url: 'https://example.com/new', events: ['event.created'] } }),
  'GET /v1/webhooks/:id/deliveries/:whd': async (world) => {
    const { webhook, id } = await world.delivery()
    return { path: `/v1/webhooks/${webhook.id}/deliveries/${id}` }
  },
  'POST /v1/webhooks/:id/deliveries/:whd/resend': async (world) => {
    const { webhook, id } = await world.delivery()
    return { path: `/v1/webhooks/${webhook.id}/deliveries/${id}/resend` }
  },
  'POST /v1/webhooks/:id/replay': async ({ service }) => ({ body: { from: make.ahead(service, -60) } }),
  'GET /v1/webhooks/:id/replays/:rpl': async ({ service, owner, webhook }) => {
    const path = `/v1/webhooks/${(await webhook()).id}`
    const { body } = await callAs(service, owner.key, 'POST', `${path}/replay`, { from: make.ahead(service, -60) })
    return { path: `${path}/replays/${body.id}` }
  },
  'POST /v1/webhooks/:id/test': async ({ service, owner }) => {
    const { id } = await make.makeWebhook(service, owner.key, `http://127.0.0.1:9/${count++}`, ['agent.created'])
    return { path: `/v1/webhooks/${id}/test` }
  },
  'PATCH /v1/webhooks/:id': async () => ({ body: { active: false } }),
  'POST /v1/booking-pages': async (world) => ({ body: { calendar_id: (await world.calendar()).id, title: 'Call' } }),
  'POST /v1/booking-pages/preview': async (world) => ({
    body: { calendar_id: (await world.calendar()).id, title: 'Call' },
  }),
  'PATCH /v1/booking-pages/:id': async () => ({ body: { title: 'Renamed' } }),
  'POST /v1/feedback': async () => ({ body: { type: 'friction', message: 'More than ten characters.' } }),
  'POST /v1/agent/verify': async () => ({ body: { otp: '000000' } }),
  'POST /book/:slug': async ({ service }) => ({
    body: { name: 'Guest', email: 'guest@example.com', start: make.ahead(service, 60) },
  }),
  'POST /booking/:token/reschedule': async ({ service }) => ({ body: { start: make.ahead(service, 60) } }),
  'POST /v1/terms/accept': async ({ service }) => ({ body: { tos_version: await currentVersion(service) } }),
  'PATCH /v1/auth/terms': async ({ service }) => ({ body: { tos_version: await currentVersion(service) } }),
  'PATCH /v1/auth/session': async ({ owner }) => ({ body: { organization_id: owner.id } }),
  'POST /v1/auth/organizations': async ({ service }) => ({
    body: { name: 'Another', tos_version: await currentVersion(service) },
  }),
  'PATCH /v1/auth/members/:id': async (world) => ({ body: { role: 'viewer' }, path: await ownMembership(world) }),
  'DELETE /v1/auth/members/:id': async () => ({ path: '/v1/auth/members/me' }),
  'PATCH /v1/auth/organization': async () => ({ body: { name: 'Renamed' } }),
  'POST /v1/admin/session': async () => ({ body: { token: adminToken } }),
  'POST /v1/admin/orgs': async () => ({ body: { name: 'New', email: 'new@example.com' } }),
  'PATCH /v1/admin/orgs/:id': async () => ({ body: { plan: 'pro' } }),
  'POST /v1/admin/terms': async () => ({
    body: { version: `v${count++}`, effective_at: '2026-01-01', url: 'https://example.com/terms', material: false },
  }),
}

/** Of the one who acts; only an owner with a session has one. */
async function ownMembership({ service, owner }: World): Promise<string> {
  if (!owner.token) return '/v1/auth/members/mem_none'
  const { body } = await callAs(service, owner.token, 'GET', '/v1/auth/session')
  return `/v1/auth/members/${body.member.id}`
}

function ofEvent(body?: object) {
  return async (world: World) => {
    const { id, calendarId } = await world.event()
    return { path: `/v1/calendars/${calendarId}/events/${id}`, body }
  }
}

function ofEventAlone(body?: object) {
  return async (world: World) => ({ path: `/v1/events/${(await world.event()).id}`, body })
}

async function ofRules(world: World) {
  return { path: `/v1/calendars/${await world.rules()}/availability-rules` }
}

/** The values in a path, by the folder in front of them. */
const named: Record<string, (world: World) => Promise<string>> = {
  agents: async (world) => (await world.agent()).id,
  calendars: async (world) => (await world.calendar()).id,
  keys: async (world) => (await world.agentKey()).id,
  'hold-groups': async (world) => (await world.group()).id,
  approvals: async (world) => (await world.approval()).id,
  approve: async () => 'none',
  proposals: async (world) => (await world.proposal()).id,
  'ical-subscriptions': async (world) => (await world.subscription()).id,
  'booking-pages': async (world) => (await world.page()).id,
  webhooks: async (world) => (await world.webhook()).id,
  orgs: async (world) => world.owner.id,
  ical: async (world) => (await world.calendar()).ical_url.split('/').at(-1).replace('.ics', ''),
  book: async (world) => (await world.page()).slug,
  booking: async () => 'none',
  bookings: async () => 'none',
  oauth: async () => 'nobody',
  'calendar-connections': async () => 'con_none',
  'availability-grants': async () => 'avg_none',
  connect: async () => 'none',
  invitations: async () => 'none',
  links: async () => 'csl_none',
  sessions: async () => 'ses_none',
  connections: async () => 'con_none',
  con_none: async () => 'pause',
  microsoft: async () => 'none',
  'connection-links': async (world) => (await world.link()).id,
}

async function pathOf(template: string, world: World): Promise<string> {
  const parts = template.split('/')
  const filled = parts.map(async (part, nth) => {
    const [, , rest = ''] = /^:(\w+)(\.ics)?$/.exec(part) ?? []
    return part.startsWith(':') ? (await (named[parts[nth - 1]!] ?? named[parts[nth - 2]!])!(world)) + rest : part
  })
  return (await Promise.all(filled)).join('/')
}

function secretOf(owner: Owner, stranger: make.TestOrganization, column: Column): string | undefined {
  if (column === 'nobody') return undefined
  if (column === 'badKey') return `svc_sk_${'x'.repeat(43)}`
  if (column === 'admin') return adminToken
  if (column === 'stranger') return stranger.key
  if (column === 'session') return owner.token
  if (column === 'agent') return (owner as Shared).agentKey
  if (column === 'other') return (owner as Shared).otherKey
  return owner.key
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`

test('every route has a row, and every row a route', () => {
  assert.deepEqual(Object.keys(table).sort(), routes.map(nameOf).sort())
})

test('exactly the public routes answer without a key', () => {
  const open = routes.filter(({ access }) => access === 'public').map(nameOf)
  const expected = Object.entries(table).filter(([, row]) => !row.startsWith('401'))
  assert.deepEqual(open.sort(), expected.map(([name]) => name).sort())
})

test('the health checks, the document and its page need no key', async ({ service }) => {
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
    assert.equal((await callAs(service, undefined, 'GET', path)).status, 200, path)
  }
})

/** They end, or change, the organization that they act on. */
const changesOwner = ['DELETE /v1/agents/:id', 'PATCH /v1/admin/orgs/:id', 'POST /v1/admin/orgs/:id/activate']

for (const [name, row] of Object.entries(table)) {
  test(`${name} answers each caller with the status of its row`, async ({
    service,
    stranger,
    account,
    shared,
    refused,
  }) => {
    const [method = '', template = ''] = name.split(' ')
    const statuses = row.split(/[ |]+/).map(Number)
    // The test does not wait: a stream ends when it has begun.
    endWaits(service.app)
    const isOfSessions = routes.some((route) => nameOf(route) === name && route.access === 'session')
    const endsAccount = isOfSessions || name === 'DELETE /v1/agents/:id'
    const targetOf = async (world: World) => {
      const request = (await requests[name]?.(world)) ?? {}
      return { path: request.path ?? (await pathOf(template, world)), body: request.body }
    }
    const ownerOf = async (column: Column) => {
      if (!actsOnShared(column)) return ownerFor(service, account, column, endsAccount)
      return changesOwner.includes(name) ? newShared(service) : shared
    }
    let targetOnce: ReturnType<typeof targetOf> | undefined
    /** For all who only read it, or are refused. */
    const sharedTarget = () => {
      targetOnce ??= targetOf(worldOf(service, shared))
      return targetOnce
    }
    const answers = columns.map(async (column, nth) => {
      const status = statuses[nth]!
      const ask = async (by: Owner, { path, body }: Awaited<ReturnType<typeof targetOf>>) =>
        `${column} ${(await callAs(service, secretOf(by, stranger, column), method, path, body)).status}`
      const isRefused = status >= 400
      if (actsOnShared(column) && (isRefused || method === 'GET')) return ask(shared, await sharedTarget())
      if (isRefused && status === statuses[0]) return ask(await refused(column), await sharedTarget())
      const own = await ownerOf(column)
      const target = await targetOf(worldOf(service, own))
      if (column === 'waitlisted')
        await callAs(service, adminToken, 'PATCH', `/v1/admin/orgs/${own.id}`, { is_waitlisted: true })
      return ask(own, target)
    })
    assert.deepEqual(
      await Promise.all(answers),
      columns.map((column, nth) => `${column} ${statuses[nth]}`),
    )
  })
}
