// A request of each mutation that makes something or changes something once.
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from './factories.ts'
import { adminToken, type TestService } from './harness.ts'

export type Asked = { method: string; path: string; key: string; body?: object }

const webhookUrl = 'https://example.com/hook'

/** By the name of the operation. Those of sessions, codes and terms, and those that end what could ask again, are missing. */
export async function mutationsOf(service: TestService): Promise<Record<string, Asked>> {
  const { key, id: orgId } = await makeOrganization(service)
  const make = (path: string, body: object) => service.call('POST', path, { key, body }).then((answer) => answer.body)
  const [agent, spare, gone] = await Promise.all([1, 2, 3].map(() => makeAgent(service, key)))
  const calendar = await makeCalendar(service, key, agent.id)
  const [empty, full] = [await makeCalendar(service, key), await makeCalendar(service, key)]
  const event = (body = {}) => makeEvent(service, key, calendar.id, body)
  const hold = (minutes: number) =>
    makeHold(service, key, calendar.id, { start_time: ahead(service, minutes), end_time: ahead(service, minutes + 5) })
  const rules = {
    buffer_before_minutes: 5,
    working_hours: Object.fromEntries(['mon', 'tue'].map((day) => [day, { start: '09:00', end: '17:00' }])),
    timezone: 'UTC',
  }
  await service.call('PUT', `/v1/calendars/${full.id}/availability-rules`, { key, body: rules })
  const proposal = async () => {
    const { id } = await makeProposal(service, key, {
      organizer_agent_id: agent.id,
      participant_agent_ids: [spare.id, gone.id],
      calendar_id: calendar.id,
    })
    return (await service.call('GET', `/v1/scheduling/proposals/${id}`, { key })).body
  }
  const [first, second, third] = [await proposal(), await proposal(), await proposal()]
  const respondents = [spare.id, gone.id]
  await service.call('POST', `/v1/scheduling/proposals/${second.id}/respond`, {
    key,
    body: { agent_id: respondents[0], response: 'accept', selected_slot_id: second.slots[0].id },
  })
  const subscription = (label: string) =>
    make(`/v1/agents/${agent.id}/ical-subscriptions`, {
      calendar_id: calendar.id,
      url: `https://example.com/${label}.ics`,
    })
  const [watched, dropped] = [await subscription('a'), await subscription('b')]
  const page = (title: string) =>
    make('/v1/booking-pages', { calendar_id: calendar.id, title, duration_minutes: 30, timezone: 'UTC' })
  const [kept, removed] = [await page('kept'), await page('removed')]
  const types = ['event.created']
  const [hook, unhooked, tried] = [
    await makeWebhook(service, key, `${webhookUrl}/1`, types),
    await makeWebhook(service, key, `${webhookUrl}/2`, types),
    await makeWebhook(service, key, 'http://127.0.0.1:9/', types),
  ]
  const [{ id: keyId }, { id: labelled }, { id: rotated }] = [
    await make('/v1/keys', { agent_id: agent.id }),
    await make('/v1/keys', { agent_id: agent.id }),
    await make('/v1/keys', { agent_id: agent.id }),
  ]
  const { key: asking } = await make('/v1/keys', { agent_id: agent.id, guardrails: { approval: { on: 'all' } } })
  const ask = async (name: string) => {
    const answer = await service.call('PATCH', `/v1/agents/${agent.id}`, { key: asking, body: { name } })
    return answer.body.approval.id
  }
  const [approved, rejected] = [await ask('Approved'), await ask('Rejected')]
  const at = (method: string, path: string, body?: object): Asked => ({ method, path, key, ...(body && { body }) })
  const admin = (method: string, path: string, body?: object): Asked => ({ ...at(method, path, body), key: adminToken })
  const times = { start_time: ahead(service, 600), end_time: ahead(service, 630) }
  const [edited, editedById, deleted, deletedById] = await Promise.all([event(), event(), event(), event()])
  const trashed = await event()
  await service.call('DELETE', `/v1/events/${trashed.id}`, { key })
  const history = await service.call('GET', `/v1/webhooks/${hook.id}/deliveries`, { key })
  const [delivery] = history.body.data
  const group = (minutes: number) => groupOf(service, minutes, calendar.id)
  const held = (minutes: number) => make('/v1/hold-groups', group(minutes))
  return {
    createAgent: at('POST', '/v1/agents', { name: 'New', type: 'ai' }),
    updateAgent: at('PATCH', `/v1/agents/${spare.id}`, { name: 'Renamed' }),
    createCalendar: at('POST', '/v1/calendars', { name: 'New', timezone: 'UTC' }),
    createAgentCalendar: at('POST', `/v1/agents/${agent.id}/calendars`, { name: 'New', timezone: 'UTC' }),
    updateCalendar: at('PATCH', `/v1/calendars/${full.id}`, { name: 'Renamed' }),
    replaceCalendarFeedAddress: at('POST', `/v1/calendars/${full.id}/feed-address`),
    createBusyFeed: at('POST', `/v1/calendars/${full.id}/busy-feed`),
    deleteBusyFeed: at('DELETE', `/v1/calendars/${full.id}/busy-feed`),
    deleteCalendar: at('DELETE', `/v1/calendars/${empty.id}`),
    createEvent: at('POST', `/v1/calendars/${calendar.id}/events`, { title: 'New', ...times }),
    updateEvent: at('PATCH', `/v1/calendars/${calendar.id}/events/${edited.id}`, { title: 'Renamed' }),
    deleteEvent: at('DELETE', `/v1/calendars/${calendar.id}/events/${deleted.id}`),
    confirmHold: at('PUT', `/v1/events/${(await hold(200)).id}/confirm`),
    releaseHold: at('PUT', `/v1/events/${(await hold(300)).id}/release`),
    createHoldGroup: at('POST', '/v1/hold-groups', group(400)),
    confirmHoldGroup: at('PUT', `/v1/hold-groups/${(await held(410)).id}/confirm`, {}),
    releaseHoldGroup: at('PUT', `/v1/hold-groups/${(await held(420)).id}/release`),
    renewHoldGroup: at('PUT', `/v1/hold-groups/${(await held(430)).id}/renew`, { hold_expires_at: ahead(service, 6) }),
    updateEventById: at('PATCH', `/v1/events/${editedById.id}`, { title: 'Renamed' }),
    restoreEvent: at('POST', `/v1/events/${trashed.id}/restore`, {}),
    deleteEventById: at('DELETE', `/v1/events/${deletedById.id}`),
    setAvailabilityRules: at('PUT', `/v1/calendars/${calendar.id}/availability-rules`, rules),
    removeAvailabilityRules: at('DELETE', `/v1/calendars/${full.id}/availability-rules`),
    createAgentKey: at('POST', '/v1/keys', { agent_id: agent.id }),
    updateAgentKey: at('PATCH', `/v1/keys/${labelled}`, { label: 'Renamed', guardrails: { max_minutes: 60 } }),
    rotateAgentKey: at('POST', `/v1/keys/${rotated}/rotate`, { overlap_seconds: 60 }),
    approveApproval: at('POST', `/v1/approvals/${approved}/approve`, { reason: 'Fine' }),
    rejectApproval: at('POST', `/v1/approvals/${rejected}/reject`, { reason: 'No' }),
    revokeAgentKey: at('DELETE', `/v1/keys/${keyId}`),
    createProposal: at('POST', '/v1/scheduling/proposals', {
      title: 'New',
      organizer_agent_id: agent.id,
      participant_agent_ids: [spare.id],
      calendar_id: calendar.id,
      slots: [times],
    }),
    respondToProposal: at('POST', `/v1/scheduling/proposals/${first.id}/respond`, {
      agent_id: respondents[0],
      response: 'accept',
      selected_slot_id: first.slots[0].id,
    }),
    resolveProposal: at('POST', `/v1/scheduling/proposals/${second.id}/resolve`),
    cancelProposal: at('POST', `/v1/scheduling/proposals/${third.id}/cancel`),
    createIcalSubscription: at('POST', `/v1/agents/${agent.id}/ical-subscriptions`, {
      calendar_id: calendar.id,
      url: 'https://example.com/new.ics',
    }),
    updateIcalSubscription: at('PATCH', `/v1/ical-subscriptions/${watched.id}`, { label: 'renamed' }),
    syncIcalSubscription: at('POST', `/v1/ical-subscriptions/${watched.id}/sync`),
    deleteIcalSubscription: at('DELETE', `/v1/ical-subscriptions/${dropped.id}`),
    createBookingPage: at('POST', '/v1/booking-pages', {
      calendar_id: calendar.id,
      title: 'New',
      duration_minutes: 30,
      timezone: 'UTC',
    }),
    updateBookingPage: at('PATCH', `/v1/booking-pages/${kept.id}`, { title: 'Renamed' }),
    deleteBookingPage: at('DELETE', `/v1/booking-pages/${removed.id}`),
    createWebhook: at('POST', '/v1/webhooks', { url: webhookUrl, events: types }),
    resendWebhookDelivery: at('POST', `/v1/webhooks/${hook.id}/deliveries/${delivery.id}/resend`),
    replayWebhook: at('POST', `/v1/webhooks/${unhooked.id}/replay`, { from: ahead(service, -60), only: 'all' }),
    testWebhook: at('POST', `/v1/webhooks/${tried.id}/test`),
    rotateWebhookSecret: at('POST', `/v1/webhooks/${hook.id}/secret/rotate`),
    endWebhookSecretOverlap: at('DELETE', `/v1/webhooks/${hook.id}/secret/previous`),
    updateWebhook: at('PATCH', `/v1/webhooks/${hook.id}`, { active: false }),
    deleteWebhook: at('DELETE', `/v1/webhooks/${unhooked.id}`),
    giveFeedback: at('POST', '/v1/feedback', { type: 'feature', message: 'More of the same.' }),
    decommissionAgent: at('DELETE', `/v1/agents/${gone.id}`),
    createOrganization: admin('POST', '/v1/admin/orgs', { name: 'New', email: 'new@example.com', plan: 'pro' }),
    updateOrganization: admin('PATCH', `/v1/admin/orgs/${orgId}`, { plan: 'custom' }),
    activateOrganization: admin('POST', `/v1/admin/orgs/${orgId}/activate`),
  }
}

const groupOf = (service: TestService, minutes: number, calendarId: string) => ({
  ...{ title: 'New', start_time: ahead(service, minutes), end_time: ahead(service, minutes + 5) },
  ...{ hold_expires_at: ahead(service, 5), renewable: true, requirements: [{ calendar_ids: [calendarId] }] },
})
