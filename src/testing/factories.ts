// The first steps of most tests, made through the API as a client would.
import assert from 'node:assert/strict'
import { asRead } from './eventRecord.ts'
import { adminToken, type TestService } from './harness.ts'

export type TestOrganization = { id: string; key: string }

export type OrganizationOptions = {
  plan?: 'free' | 'pro' | 'custom'
  limits?: Record<string, number | null>
  /** Requests per second; the set clock refills no bucket, so it is high unless a test is about it. */
  rate?: number
}

export async function makeOrganization(
  { call }: TestService,
  { plan = 'pro', limits, rate = 100_000 }: OrganizationOptions = {},
): Promise<TestOrganization> {
  const body = { name: 'Test', email: 'owner@example.com', plan, limits, rate_limit_per_second: rate }
  const answer = await call('POST', '/v1/admin/orgs', { key: adminToken, body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { id: answer.body.org.id, key: answer.body.api_key }
}

export const makeAgent = (service: TestService, key: string, body: object = {}) =>
  make(service, key, '/v1/agents', { name: 'Agent', type: 'ai', ...body })

/** Of the organization, or of the agent when one is named. */
export const makeCalendar = (service: TestService, key: string, agentId?: string, body: object = {}) =>
  make(service, key, agentId ? `/v1/agents/${agentId}/calendars` : '/v1/calendars', {
    name: 'Calendar',
    timezone: 'UTC',
    ...body,
  })

export const makeAgentKey = async (
  service: TestService,
  key: string,
  agentId: string,
  guardrails: object | null = null,
): Promise<string> => (await make(service, key, '/v1/keys', { agent_id: agentId, guardrails })).key

/** Starts an hour after the set time and lasts 30 minutes, unless told otherwise. */
/** As a read shows it. */
export const makeEvent = async (service: TestService, key: string, calendarId: string, body: object = {}) => {
  const made = await make(service, key, `/v1/calendars/${calendarId}/events`, {
    title: 'Event',
    start_time: ahead(service, 60),
    end_time: ahead(service, 90),
    ...body,
  })
  return asRead({ body: made }).body
}

export const makeHold = (service: TestService, key: string, calendarId: string, body: object = {}) =>
  makeEvent(service, key, calendarId, { status: 'hold', hold_expires_at: ahead(service, 5), ...body })

/** Two slots, one and two hours after the set time, unless told otherwise. */
export const makeProposal = (
  service: TestService,
  key: string,
  body: { organizer_agent_id: string; participant_agent_ids: string[]; calendar_id: string; [field: string]: unknown },
) =>
  make(service, key, '/v1/scheduling/proposals', {
    title: 'Proposal',
    slots: [60, 120].map((minutes) => ({
      start_time: ahead(service, minutes),
      end_time: ahead(service, minutes + 30),
    })),
    ...body,
  })

export const makeWebhook = (service: TestService, key: string, url: string, events: readonly string[]) =>
  make(service, key, '/v1/webhooks', { url, events })

/** The set time and so many minutes, as a client writes it. */
export const ahead = ({ clock }: TestService, minutes: number): string =>
  new Date(clock.now().getTime() + minutes * 60_000).toISOString()

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
async function make({ call }: TestService, key: string, path: string, body: object): Promise<any> {
  const answer = await call('POST', path, { key, body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}
