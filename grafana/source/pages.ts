import type { Page } from './page.ts'
import { api } from './pages/api.ts'
import { connections } from './pages/connections.ts'
import { feeds } from './pages/feeds.ts'
import { objectives } from './pages/objectives.ts'
import { overview } from './pages/overview.ts'
import { queues } from './pages/queues.ts'
import { quotas } from './pages/quotas.ts'
import { stores } from './pages/stores.ts'
import { timers } from './pages/timers.ts'
import { webhooks } from './pages/webhooks.ts'

export const pages: readonly Page[] = [
  overview,
  objectives,
  api,
  timers,
  webhooks,
  quotas,
  queues,
  feeds,
  connections,
  stores,
]
