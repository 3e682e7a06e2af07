// Reading an event before it is changed, and changing it: by itself, from one occurrence on, or the whole series.
import type { EventInstance, FullAnswer } from '../../clients/typescript/src/entry.ts'
import { acted } from '../service/live.ts'
import { service } from '../service/service.ts'
import type { EventRef } from './address.ts'
import type { UpdateEventBody } from './bodies.ts'

export const scopes = ['one', 'following', 'all'] as const
export type Scope = (typeof scopes)[number]

/** An event, and its series, as a person saw them when they began. */
export type ReadEvent = { one: FullAnswer<EventInstance>; series: FullAnswer<EventInstance> | undefined }

export const refOf = ({ id, originalStartTime }: EventInstance): EventRef => ({
  id,
  ...(originalStartTime && { original: originalStartTime }),
})

export async function readEvent({ id, original }: EventRef): Promise<ReadEvent> {
  const [one, series] = await Promise.all([
    service.events.getById(id, original ? { occurrence_start: original } : {}).full(),
    original ? service.events.getById(id).full() : undefined,
  ])
  return { one, series }
}

/** The tag of what the change is made to. */
export const tagOf = ({ one, series }: ReadEvent, scope: Scope): string | null =>
  scope === 'one' ? one.etag : (series ?? one).etag

const which = ({ original }: EventRef, scope: Scope) =>
  original === undefined || scope === 'all'
    ? {}
    : { occurrence_start: original, ...(scope === 'following' && { scope }) }

type Sent = { idempotencyKey: string; ifMatch?: string }

export const updateEvent = (ref: EventRef, scope: Scope, body: UpdateEventBody, sent: Sent) =>
  service.events.updateById(ref.id, body, { ...which(ref, scope), ...sent, explain: true })

/** The first occurrence and all that follow are the whole series. */
export async function deleteEvent(ref: EventRef, scope: Scope, firstStart: string | undefined): Promise<void> {
  const isWhole = scope === 'following' && ref.original === firstStart
  await service.events.deleteById(ref.id, which(ref, isWhole ? 'all' : scope))
  await acted('event')
}
