// How a subscription does. Pure.
import type { Webhook } from '../../../clients/typescript/src/entry.ts'

/** Failing from the first failure on: the health that the service tells waits for several. */
export const stateOf = ({ active, consecutiveFailures }: Pick<Webhook, 'active' | 'consecutiveFailures'>) =>
  active ? (consecutiveFailures > 0 ? 'failing' : 'healthy') : 'off'
