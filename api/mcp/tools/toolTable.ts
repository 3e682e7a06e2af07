// The table of tools: each profile with its tools, in the order in which they are listed.
import type { Tool } from '../language/tool.ts'
import { adminTools } from './admin.ts'
import { bookingTools } from './booking.ts'
import { coordinationTools } from './coordination.ts'
import { proposalTools } from './proposals.ts'
import { schedulingTools } from './scheduling.ts'
import { setupTools } from './setup.ts'
import { trashTools } from './trash.ts'
import { webhookTools } from './webhooks.ts'

export const profiles = {
  scheduling: schedulingTools,
  proposals: proposalTools,
  booking: bookingTools,
  setup: setupTools,
  webhooks: webhookTools,
  admin: adminTools,
  coordination: coordinationTools,
  meetings: trashTools,
} satisfies Record<string, readonly Tool[]>

export const allTools: readonly Tool[] = Object.values(profiles).flat()

/** `full` leaves these profiles out, because its list must stay within its bytes. */
const { coordination: _, meetings: __, ...inFull } = profiles
export const fullTools: readonly Tool[] = Object.values(inFull).flat()

export const profileNames = [...Object.keys(inFull), 'full', 'coordination', 'meetings']

const byName = new Map(allTools.map((tool) => [tool.name, tool]))

export const toolNamed = (name: string): Tool | undefined => byName.get(name)
