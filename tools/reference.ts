// `npm run reference`: writes docs/reference/ and the generated parts of the clients from the code. Tests compare the files with
// what this makes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeClients } from './clients/files.ts'
import { alertsPage } from './reference/alerts.ts'
import { endpoints } from './reference/endpoints.ts'
import { environmentVariables } from './reference/environment.ts'
import { mcpToolsPage } from './reference/mcpTools.ts'
import { metrics } from './reference/metrics.ts'
import { plansPage } from './reference/plans.ts'
import { sqlStatesPage } from './reference/sqlStates.ts'
import { webhookEventsPage } from './reference/webhookEvents.ts'

export const folder = join(import.meta.dirname, '../docs/reference')

/** Each file, and the function that makes its text. */
export const pages: Record<string, () => string> = {
  'endpoints.md': endpoints,
  'webhook-events.md': webhookEventsPage,
  'metrics.md': metrics,
  'environment.md': environmentVariables,
  'plans.md': plansPage,
  'tools.md': mcpToolsPage,
  'alerts.md': alertsPage,
  'sqlstates.md': sqlStatesPage,
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(pages)) writeFileSync(join(folder, file), text())
  writeClients()
}
