// How a subscription does. Pure.
import type { Webhook } from '../../../clients/typescript/src/entry.ts'

/** The state that the health of a webhook has; it can be told from its record. */
export const stateOf = ({ active, consecutiveFailures }: Pick<Webhook, 'active' | 'consecutiveFailures'>) =>
  active ? (consecutiveFailures > 0 ? 'failing' : 'healthy') : 'off'
