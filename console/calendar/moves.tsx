import { useRef, useState } from 'react'
import { momentOf } from '../parts/days.ts'
import { Stale } from '../parts/stale.tsx'
import { span } from '../parts/times.ts'
import { acted } from '../service/live.ts'
import { refusalOf } from '../service/refusal.ts'
import { alarm, calm, notify } from '../state/notices.ts'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { AskScope } from './askScope.tsx'
import { exactOf, movedSeries, stretchBody } from './bodies.ts'
import { clockAt, wallAt } from './dates.ts'
import { isSame, minutesBetween, type Stretch } from './drag.ts'
import { type ReadEvent, readEvent, refOf, type Scope, tagOf, updateEvent } from './edits.ts'
import { type Item, isSeries, stretchOfItem, type Times, zoneOf } from './items.ts'
import { whenOf } from './movingStatus.tsx'

/** `item` as it was when the person began. */
type Move = { item: Item; before: Stretch; after: Stretch; read: Promise<ReadEvent>; scope?: Scope; exact?: Exact }
type Exact = ReturnType<typeof exactOf>

export type Moves = {
  /** Reads the event, whose tag goes along with the change. */
  begin: (item: Item) => unknown
  /** Shows it there; undefined: where it is. */
  preview: (item: Item, after: Stretch | undefined) => void
  drop: (item: Item, after: Stretch) => void
}

/** Events that are moved: shown there at once, sent, and put back when the service refuses. */
export function useMoves(zone: string) {
  const [moved, setMoved] = useState<ReadonlyMap<string, Times>>(new Map())
  const reads = useRef(new Map<string, Promise<ReadEvent>>())
  const [asking, setAsking] = useState<Move | undefined>()
  const [stale, setStale] = useState<{ move: Move; now: ReadEvent } | undefined>()

  function preview(item: Item, after: Stretch | undefined) {
    setMoved((now) => {
      const next = new Map(now)
      const own = zoneOf(item, zone)
      const at = ({ date, minute }: Stretch['start']) => momentOf(wallAt(date, minute), own)
      if (after && !isSame(after, stretchOfItem(item)))
        next.set(item.key, { startMs: at(after.start), endMs: at(after.end) })
      else next.delete(item.key)
      return next
    })
  }

  function begin(item: Item): Promise<ReadEvent> {
    const read = readEvent(refOf(item.event))
    // Awaited when the event is dropped.
    read.catch(() => {})
    reads.current.set(item.key, read)
    return read
  }

  function drop(item: Item, after: Stretch) {
    const read = reads.current.get(item.key) ?? begin(item)
    const move: Move = { item, before: stretchOfItem(item), after, read }
    if (isSame(move.before, after)) return preview(item, undefined)
    preview(item, after)
    if (isSeries(item.event)) setAsking(move)
    else send(move, 'one')
  }

  async function send(move: Move, scope: Scope, etag?: string | null) {
    const { item, after, exact } = move
    try {
      const read = await move.read
      const sent = etag ?? tagOf(read, scope)
      const body = { ...bodyOf(move, scope, read), ...exact }
      await updateEvent(refOf(item.event), scope, body, {
        idempotencyKey: crypto.randomUUID(),
        ...(sent && { ifMatch: sent }),
      })
      calm()
      await acted('event')
      preview(item, undefined)
      notify(isMoved(move) ? texts.moved(texts.event) : texts.saved(texts.event))
    } catch (error) {
      if (refusalOf(error).isStale) {
        const now = await readEvent(refOf(item.event)).catch(() => undefined)
        if (now) return setStale({ move: { ...move, scope }, now })
      }
      preview(item, undefined)
      alarm(error, (time) => {
        calm()
        preview(item, after)
        send({ ...move, exact: { ...exact, ...exactOf(time, after) } }, scope, etag)
      })
    }
  }

  function bodyOf({ item, before, after }: Move, scope: Scope, { series }: ReadEvent) {
    const own = zoneOf(item, zone)
    if (scope !== 'all' || !series) return stretchBody(after, before, own, item.isAllDay)
    const whole = { start: pointOf(series.data.startTime, own), end: pointOf(series.data.endTime, own) }
    return stretchBody(movedSeries(before, after, whole), whole, own, item.isAllDay)
  }

  const dialogs = (
    <>
      {asking && (
        <AskScope
          title={texts.changeSeries}
          submit={texts.save}
          choose={(scope) => {
            setAsking(undefined)
            send(asking, scope)
          }}
          close={() => {
            setAsking(undefined)
            preview(asking.item, undefined)
          }}
        />
      )}
      {stale && (
        <Stale
          differences={[
            {
              field: texts.when,
              theirs: span(stale.now.one.data.startTime, stale.now.one.data.endTime, shownIn(zone)),
              mine: whenOf(stale.move.item, stale.move.after, zone),
            },
          ]}
          keep={() => {
            setStale(undefined)
            return send(stale.move, stale.move.scope!, tagOf(stale.now, stale.move.scope!))
          }}
          discard={() => {
            setStale(undefined)
            acted('event').then(() => preview(stale.move.item, undefined))
          }}
        />
      )}
    </>
  )

  return { moved, moves: { begin, preview, drop } satisfies Moves, dialogs }
}

const pointOf = (text: string, zone: string) => clockAt(Date.parse(text), zone)
const shownIn = (timezone: string) => ({ ...settings.get(), timezone })
const isMoved = ({ before, after }: Move) => minutesBetween(before.start, after.start) !== 0
