// The values of the form of a webhook, and the body that is sent. Pure.
import type { Webhook } from '../../../clients/typescript/src/entry.ts'

export type EventType = Webhook['events'][number]

export type WebhookValues = {
  url: string
  events: readonly EventType[]
  calendar_ids: readonly string[]
  agent_ids: readonly string[]
  standard: boolean
}

export const emptyWebhook: WebhookValues = { url: '', events: [], calendar_ids: [], agent_ids: [], standard: false }

export const valuesOf = ({ url, events, calendarIds, agentIds, standard }: Webhook): WebhookValues => ({
  url,
  events,
  calendar_ids: calendarIds ?? [],
  agent_ids: agentIds ?? [],
  standard: standard ?? false,
})

/** No chosen calendars or agents means all of them, which the API writes as null. */
export function bodyOf<V extends Partial<WebhookValues>>(values: V) {
  const { calendar_ids, agent_ids, events, ...rest } = values
  return {
    ...rest,
    ...(events && { events: [...events] }),
    ...(calendar_ids && { calendar_ids: calendar_ids.length > 0 ? [...calendar_ids] : null }),
    ...(agent_ids && { agent_ids: agent_ids.length > 0 ? [...agent_ids] : null }),
  }
}
