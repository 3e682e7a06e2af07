// Compares the change feed with the deliveries: a committed change has its entries once, and they stand in the order in which it
// happened.
import type { Findings } from './findings.ts'
import type { ChangeFact, DeliveryFact } from './snapshot.ts'

/** The change feed alone tells it. */
export const renewal = 'event.hold_renewed'

type Told = { changes: readonly ChangeFact[]; deliveries: readonly DeliveryFact[]; orgIds: ReadonlySet<string> }

/** `deliveries` go to webhooks that get all events of the organizations; they are compared with the events elsewhere. */
export function judgeEntries({ changes, deliveries, orgIds }: Told, findings: Findings) {
  const entries = changes.filter(
    ({ orgId, type }) => orgIds.has(orgId) && type.startsWith('event.') && type !== renewal,
  )
  const delivered = new Map(deliveries.map((delivery) => [placeOf(delivery), delivery]))
  const known = new Set(entries.map(placeOf))
  for (const entry of entries) {
    const delivery = delivered.get(placeOf(entry))
    if (delivery?.type !== entry.type) findings.add('half', `${nameOf(entry)} of the change feed has no delivery`)
  }
  for (const delivery of deliveries) {
    if (!known.has(placeOf(delivery))) findings.add('lost', `${delivery.id} ${delivery.type} is not in the change feed`)
  }
  judgeOrder(changes, findings)
}

function judgeOrder(changes: readonly ChangeFact[], findings: Findings) {
  const revisions = new Map<string, number>()
  const deleted = new Set<string>()
  const created = new Set<string>()
  for (const entry of changes) {
    const { calendarId, resourceId, revision, type } = entry
    if (calendarId && revision !== null) {
      if (revision < (revisions.get(calendarId) ?? 0)) findings.add('half', `${nameOf(entry)}: the revision falls`)
      revisions.set(calendarId, revision)
    }
    if (!type.startsWith('event.')) continue
    const isFirst = type === 'event.created' || type === 'event.hold_created'
    if (isFirst) created.add(resourceId)
    else if (!created.has(resourceId)) findings.add('half', `${nameOf(entry)} stands before its creation`)
    if (deleted.has(resourceId)) findings.add('half', `${nameOf(entry)} stands after its deletion`)
    if (type === 'event.deleted') deleted.add(resourceId)
  }
}

const placeOf = ({ changeId, position }: { changeId: string; position: number }) => `${changeId} ${position}`
const nameOf = ({ type, resourceId }: ChangeFact) => `${type} of ${resourceId}`
