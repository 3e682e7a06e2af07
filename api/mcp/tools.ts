// The table of tools: each profile with its tools, in the order in which they are listed.
import type { Tool } from './tool.ts'
import { schedulingTools } from './tools/scheduling.ts'

export const profiles = {
  scheduling: schedulingTools,
  proposals: [],
  booking: [],
  setup: [],
  webhooks: [],
  admin: [],
} satisfies Record<string, readonly Tool[]>

export const allTools: readonly Tool[] = Object.values(profiles).flat()

const byName = new Map(allTools.map((tool) => [tool.name, tool]))

export const toolNamed = (name: string): Tool | undefined => byName.get(name)
