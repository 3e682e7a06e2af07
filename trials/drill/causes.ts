// How each alert is caused on real processes. rules.test.ts compares this table with the rules.
import type { Cause } from './cause.ts'
import { apiCauses } from './causes/api.ts'
import { changeCauses } from './causes/changes.ts'
import { connectionCauses } from './causes/connections.ts'
import { dueCauses } from './causes/due.ts'
import { feedCauses } from './causes/feeds.ts'
import { hostCauses } from './causes/hosts.ts'
import { queueCauses } from './causes/queues.ts'
import { replicationCauses } from './causes/replication.ts'
import { storeCauses } from './causes/stores.ts'

export const causes: readonly Cause[] = [
  ...apiCauses,
  ...dueCauses,
  ...queueCauses,
  ...feedCauses,
  ...connectionCauses,
  ...changeCauses,
  ...storeCauses,
  ...replicationCauses,
  ...hostCauses,
]
