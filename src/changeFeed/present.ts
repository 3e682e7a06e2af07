import type { z } from 'zod'
import type { App } from '../app.ts'
import { payloadText } from '../changeLog/moment.ts'
import { storedResource } from '../changeLog/subject.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { EntryRow } from './queries.ts'
import type { changeEntry } from './schema.ts'

type ChangeEntry = z.infer<typeof changeEntry>

/** `hidesLinks`: for an agent key, which must not learn the address at which a person decides. */
export function presentEntry(app: App, row: EntryRow, hidesLinks: boolean): ChangeEntry {
  const { changeId, position, type, payloadSealed, moment = null } = row
  const change = encodeId('chg', changeId)
  return {
    id: `${change}.${position}`,
    change_id: change,
    position,
    type: type as ChangeEntry['type'],
    at: isoTime(row.createdAt),
    calendar_id: row.calendarId && encodeId('cal', row.calendarId),
    agent_id: row.agentId && encodeId('agt', row.agentId),
    resource: storedResource(type, row.resourceId),
    revision: row.revision,
    cause: row.cause as ChangeEntry['cause'],
    actor: row.actor as ChangeEntry['actor'],
    ...(payloadSealed && {
      payload: shownPayload(JSON.parse(payloadText(app, { changeId, position, payloadSealed, moment })), hidesLinks),
    }),
  }
}

type Payload = Record<string, unknown> & { approval?: { url?: string } }

function shownPayload(payload: Payload, hidesLinks: boolean): Payload {
  if (!hidesLinks || payload.approval?.url === undefined) return payload
  const { url: _, ...approval } = payload.approval
  return { ...payload, approval }
}
