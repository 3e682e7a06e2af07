// The first steps of a newcomer.
import { service } from '../../service/service.ts'
import { texts } from '../../texts.ts'

export type Step = 'address' | 'key' | 'agent' | 'calendar' | 'event' | 'webhook' | 'delivery'

export const steps: readonly { id: Step; label: string; to: string }[] = [
  { id: 'address', label: texts.steps.address, to: '/start' },
  { id: 'key', label: texts.steps.key, to: '/keys' },
  { id: 'agent', label: texts.steps.agent, to: '/agents' },
  { id: 'calendar', label: texts.steps.calendar, to: '/agents' },
  { id: 'event', label: texts.steps.event, to: '/calendar' },
  { id: 'webhook', label: texts.steps.webhook, to: '/webhooks' },
  { id: 'delivery', label: texts.steps.delivery, to: '/webhooks' },
]

type Read = { signal: AbortSignal }

export const readChecklist = async (options: Read): Promise<Record<Step, boolean>> =>
  service.accounts.getChecklist(options)
