// A tour of the tools: every one called once so that it succeeds, in an order in which each finds its input. The new ids are
// kept by name for the calls after it.

import { testStart } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any
type Ids = Record<string, string>
type Arguments = Record<string, unknown>

type Stop = { tool: string; arguments(ids: Ids): Arguments; keep?(answer: Any): Ids }

/** `day`: a future date, `YYYY-MM-DD`. */
export function tourOf(day: string): Stop[] {
  const at = (time: string) => `${day}T${time}`
  const booked =
    (time: string, more: Arguments = {}) =>
    (ids: Ids) => ({
      ...{ calendar_id: ids.calendar, title: 'Call', start_time: at(time), duration_minutes: 30 },
      ...more,
    })
  const proposal = (ids: Ids) => ({
    ...{ title: 'Review', organizer_agent_id: ids.agent, participant_agent_ids: [ids.peer], calendar_id: ids.calendar },
    slots: [{ start_time: at('15:00'), end_time: at('15:30') }],
  })
  const soon = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
  const group = (time: string) => (ids: Ids) => ({
    ...{ title: 'Panel', start_time: `${at(time)}:00Z`, end_time: `${at(time)}:30Z`, hold_expires_at: soon(5) },
    requirements: [{ calendar_ids: [ids.calendar] }],
  })
  const stop = (tool: string, args: Stop['arguments'] = () => ({}), keep?: Stop['keep']): Stop => ({
    tool,
    arguments: args,
    ...(keep && { keep }),
  })
  const kept = (name: string, key: string) => (answer: Any) => ({ [name]: answer[key].id as string })
  const keptProposal = (name: string) => (answer: Any) => ({
    [name]: answer.proposal.id as string,
    [`${name}Slot`]: answer.proposal.slots[0].id as string,
  })
  return [
    stop('create_agent', () => ({ name: 'Ada', type: 'ai' }), kept('agent', 'agent')),
    stop('create_agent', () => ({ name: 'Peer', type: 'human' }), kept('peer', 'agent')),
    stop('list_agents'),
    stop('get_agent', ({ agent }) => ({ agent_id: agent })),
    stop('update_agent', ({ agent }) => ({ agent_id: agent, description: 'Plans days.' })),
    stop(
      'create_calendar',
      ({ agent }) => ({ name: 'Days', timezone: 'Europe/Berlin', agent_id: agent }),
      kept('calendar', 'calendar'),
    ),
    stop(
      'create_calendar',
      ({ agent }) => ({ name: 'Feeds', timezone: 'UTC', agent_id: agent }),
      kept('feeds', 'calendar'),
    ),
    stop('list_calendars'),
    stop('get_calendar', ({ calendar }) => ({ calendar_id: calendar })),
    stop('update_calendar', ({ calendar }) => ({ calendar_id: calendar, name: 'Long days' })),
    stop('get_calendar_context', ({ calendar }) => ({ calendar_id: calendar })),
    stop('create_event', booked('10:00'), kept('event', 'event')),
    stop('list_events', ({ calendar }) => ({ calendar_id: calendar, start: day, end: day })),
    stop('get_event', ({ event }) => ({ event_id: event })),
    stop('update_event', ({ event }) => ({ event_id: event, title: 'Longer call' })),
    stop('cancel_event', ({ event }) => ({ event_id: event })),
    stop('list_deleted_events', ({ calendar }) => ({ calendar_id: calendar })),
    stop('restore_event', ({ event }) => ({ event_id: event })),
    stop('get_event_history', ({ event }) => ({ event_id: event })),
    stop('create_event', booked('11:00', { status: 'hold' }), kept('hold', 'event')),
    stop('confirm_event', ({ hold }) => ({ event_id: hold })),
    stop('create_event', booked('12:00', { status: 'hold' }), kept('other', 'event')),
    stop('release_event', ({ other }) => ({ event_id: other })),
    stop('create_hold_group', group('12:30'), kept('group', 'hold_group')),
    stop('list_hold_groups'),
    stop('get_hold_group', ({ group: id }) => ({ hold_group_id: id })),
    stop('confirm_hold_group', ({ group: id }) => ({ hold_group_id: id })),
    stop('create_hold_group', group('13:30'), kept('spare', 'hold_group')),
    stop('release_hold_group', ({ spare }) => ({ hold_group_id: spare })),
    stop('get_availability', ({ calendar }) => ({ calendar_id: calendar, start: day, end: day })),
    stop('find_meeting_time', ({ agent, peer }) => ({ agents: [agent, peer], start: day, end: day, timezone: 'UTC' })),
    stop('set_availability_rules', ({ calendar }) => ({
      ...{ calendar_id: calendar, buffer_before_minutes: 0, buffer_after_minutes: 5 },
    })),
    stop('get_availability_rules', ({ calendar }) => ({ calendar_id: calendar })),
    stop('clear_availability_rules', ({ calendar }) => ({ calendar_id: calendar })),
    stop(
      'subscribe_ical',
      ({ feeds }) => ({ calendar_id: feeds, url: 'https://example.com/days.ics' }),
      kept('subscription', 'subscription'),
    ),
    stop('list_ical_subscriptions', ({ agent }) => ({ agent_id: agent })),
    stop('get_ical_subscription', ({ subscription }) => ({ subscription_id: subscription })),
    stop('update_ical_subscription', ({ subscription }) => ({ subscription_id: subscription, label: 'Days' })),
    stop('sync_ical_subscription', ({ subscription }) => ({ subscription_id: subscription })),
    stop('delete_ical_subscription', ({ subscription }) => ({ subscription_id: subscription })),
    stop('create_proposal', proposal, keptProposal('proposal')),
    stop('list_proposals'),
    stop('get_proposal', ({ proposal: id }) => ({ proposal_id: id })),
    stop('respond_to_proposal', ({ proposal: id, peer }) => ({ proposal_id: id, agent_id: peer, response: 'decline' })),
    stop(
      'create_proposal',
      (ids) => ({ ...proposal(ids), participant_agent_ids: [ids.peer, ids.agent] }),
      keptProposal('second'),
    ),
    stop('respond_to_proposal', ({ second, secondSlot, peer }) => ({
      ...{ proposal_id: second, agent_id: peer, response: 'accept', selected_slot_id: secondSlot },
    })),
    stop('resolve_proposal', ({ second }) => ({ proposal_id: second })),
    stop('create_proposal', proposal, keptProposal('third')),
    stop('cancel_proposal', ({ third }) => ({ proposal_id: third })),
    stop(
      'create_booking_page',
      ({ calendar }) => ({ calendar_id: calendar, title: 'Half an hour' }),
      kept('page', 'booking_page'),
    ),
    stop('list_booking_pages'),
    stop('get_booking_page', ({ page }) => ({ booking_page_id: page })),
    stop('update_booking_page', ({ page }) => ({ booking_page_id: page, active: false })),
    stop('delete_booking_page', ({ page }) => ({ booking_page_id: page })),
    stop(
      'create_webhook',
      () => ({ url: 'https://example.com/hook', events: ['event.created'] }),
      kept('webhook', 'webhook'),
    ),
    stop('list_webhooks'),
    stop('get_webhook', ({ webhook }) => ({ webhook_id: webhook })),
    stop('update_webhook', ({ webhook }) => ({ webhook_id: webhook, active: false })),
    stop('list_webhook_deliveries', ({ webhook }) => ({ webhook_id: webhook })),
    stop('delete_webhook', ({ webhook }) => ({ webhook_id: webhook })),
    stop('create_scoped_key', ({ agent }) => ({ agent_id: agent }), kept('key', 'key')),
    stop('list_scoped_keys'),
    stop('revoke_scoped_key', ({ key }) => ({ key_id: key })),
    stop('get_usage'),
    stop('get_audit_log'),
    stop('submit_feedback', () => ({ type: 'friction', message: 'The tour is complete.' })),
    stop('delete_calendar', ({ calendar }) => ({ calendar_id: calendar })),
    stop('delete_agent', ({ agent }) => ({ agent_id: agent })),
  ]
}
