// The one place where text from outside gets its form: laid over an answer that is ready, so that no record needs to know about it.
import { randomBytes } from 'node:crypto'
import type { Actor } from '../actors/actor.ts'
import { type OutsideView, outsideViewOf } from '../actors/outsideText.ts'
import type { App } from '../app.ts'
import { mapFields, mapItems } from '../shapes/mapParts.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { type Form, formOf } from './forms.ts'
import { originsAmong } from './origins.ts'
import { idToLookUp, isEventId, isRecord, type Json, type Origins, outsideOf } from './records.ts'

/** Callers own its contents, whatever they look like. */
const ofCallers = 'metadata'

type Reader = Pick<Actor, 'orgId' | 'guardrails' | 'request'>

/**
 * The answer as the caller is to see it. Without an option or a guardrail it is the answer itself. `about`: the id of the event that
 * entries are about which do not name it.
 */
export function shownTo<T>(app: App, reader: Reader, answer: T, about?: unknown): T | Promise<T> {
  const view = outsideViewOf(reader)
  return view === undefined ? answer : showOutside(app, reader, view, { answer, about })
}

async function showOutside<T>(
  app: App,
  { orgId }: Reader,
  view: OutsideView,
  { answer, about }: { answer: T; about: unknown },
): Promise<T> {
  const ids = new Set<string>(isEventId(about) ? [about] : [])
  collect(answer, ids)
  const found = await originsAmong(app, orgId, ids)
  const origins = { found, ofEntries: isEventId(about) ? found.get(about) : undefined }
  const form = formOf(view, randomBytes(4).toString('hex'))
  const show = (value: unknown) => shown(value, origins, form)
  if (!isRecord(answer) || !Array.isArray(answer.data)) return show(answer) as T
  return { ...answer, data: await mapInSlices(answer.data, show) }
}

function collect(value: unknown, ids: Set<string>): void {
  if (typeof value !== 'object' || value === null || hasForm(value)) return
  if (Array.isArray(value)) {
    for (const one of value) collect(one, ids)
    return
  }
  const record = value as Json
  const id = idToLookUp(record)
  if (id !== undefined) ids.add(id)
  for (const name in record) if (name !== ofCallers) collect(record[name], ids)
}

/** A record that has its form already stays. */
const hasForm = (value: object): boolean => Object.hasOwn(value, 'outside')

/** The same value where nothing in it is from outside: the answer may be shared with other requests. */
function shown(value: unknown, origins: Origins, form: Form): unknown {
  if (Array.isArray(value)) return mapItems(value, (one) => shown(one, origins, form))
  if (!isRecord(value) || hasForm(value)) return value
  const outside = outsideOf(value, origins)
  const record = mapFields(value, inRecord)
  if (outside.size === 0) return record
  const copy = record === value ? { ...value } : record
  copy.outside = Object.fromEntries(outside)
  return copy

  function inRecord(part: unknown, path: string): unknown {
    if (typeof part === 'string') {
      const origin = outside.get(path)
      return origin ? form(part, origin) : part
    }
    if (typeof part !== 'object' || part === null) return part
    if (!isAbove(path, outside)) return path === ofCallers ? part : shown(part, origins, form)
    return Array.isArray(part)
      ? mapItems(part, (one, nth) => inRecord(one, `${path}.${nth}`))
      : mapFields(part as Json, (one, name) => inRecord(one, `${path}.${name}`))
  }
}

function isAbove(path: string, outside: ReadonlyMap<string, unknown>): boolean {
  for (const one of outside.keys()) if (one.startsWith(path) && one[path.length] === '.') return true
  return false
}
