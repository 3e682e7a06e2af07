import { openAccess } from './access.ts'
import { openApprovals } from './approvals.ts'
import { openDetails } from './details.ts'
import { openGroups } from './groups.ts'
import { openHours } from './hours.ts'
import type { Kind, Site } from './kind.ts'
import { openSeries } from './series.ts'

export const openKinds = (site: Site): Kind[] => [
  ...[openSeries(), openGroups(site), openApprovals(site), openAccess(site), openDetails(), openHours(site)],
]
