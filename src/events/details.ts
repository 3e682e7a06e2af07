// Place, call, visibility, labels, colour and links of an event: sealed together. A value that equals its default is absent.
import type { Sealer } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { EventRow, OwnField } from './columns.ts'
import { type ChangedDetails, detailNames, type ShownDetails, type WithLabelKeys } from './detailsSchema.ts'

/** All of them but `transparency`, which is a column of its own. */
export type Details = Omit<ShownDetails, 'transparency'>

const names = detailNames.filter((name) => name !== 'transparency')

/** As a row stores them. */
export type DetailColumns = Pick<EventRow, 'detailsSealed' | 'labelKeys' | 'transparent'>

export const detailsContext = (id: Uuid) => `events.details:${id}` as const

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === 'default' || (Array.isArray(value) && value.length === 0)

const sealed = (sealer: Sealer, id: Uuid, details: Details): Buffer | null =>
  Object.keys(details).length === 0 ? null : sealer.seal(detailsContext(id), JSON.stringify(details))

type Sealed = { id: Uuid } & Pick<EventRow, 'detailsSealed'>

export const openDetails = (sealer: Sealer, { id, detailsSealed }: Sealed): Details =>
  detailsSealed === null ? {} : JSON.parse(sealer.unseal(detailsContext(id), detailsSealed))

/** `before` with what the body says. */
const merged = (before: Details, body: ChangedDetails): Details =>
  Object.fromEntries(
    names
      .map((name) => [name, body[name] === undefined ? before[name] : body[name]])
      .filter(([, value]) => !isAbsent(value)),
  )

/** The details of a new event, sealed for it, and as its record shows them. */
export function planDetails(
  sealer: Sealer,
  id: Uuid,
  body: ChangedDetails & WithLabelKeys,
): { columns: DetailColumns; shown: Details } {
  const shown = merged({}, body)
  const transparent = body.transparency === 'transparent'
  return {
    columns: { detailsSealed: sealed(sealer, id, shown), labelKeys: body.labelKeys ?? null, transparent },
    shown,
  }
}

/** The columns after an edit. Those of an edit that says nothing of them are the same values. */
export function editedDetails(
  sealer: Sealer,
  row: { id: Uuid } & DetailColumns,
  body: ChangedDetails & WithLabelKeys,
): DetailColumns {
  const { detailsSealed, labelKeys, transparent } = row
  const isEdited = names.some((name) => body[name] !== undefined)
  return {
    detailsSealed: isEdited ? sealed(sealer, row.id, merged(openDetails(sealer, row), body)) : detailsSealed,
    labelKeys: body.labels === undefined ? labelKeys : (body.labelKeys ?? null),
    transparent: body.transparency === undefined ? transparent : body.transparency === 'transparent',
  }
}

/** Whether an edit wrote other columns than it found. */
export const hasOtherDetails = (before: DetailColumns, row: DetailColumns): boolean =>
  row.detailsSealed !== before.detailsSealed || row.transparent !== before.transparent

export const hasDetails = ({ detailsSealed, transparent }: DetailColumns): boolean =>
  detailsSealed !== null || transparent

/** The details of an occurrence that has a row of its own: its own ones, and otherwise those of its series. */
export function inheritedDetails(
  sealer: Sealer,
  series: { id: Uuid } & DetailColumns,
  row: { id: Uuid } & DetailColumns,
  own: ReadonlySet<OwnField>,
): DetailColumns {
  const { labelKeys } = own.has('labels') ? row : series
  const { transparent } = own.has('transparency') ? row : series
  const ownsSome = names.some((name) => own.has(name))
  if (series.detailsSealed === null && !ownsSome) return { detailsSealed: null, labelKeys, transparent }
  const ofSeries = openDetails(sealer, series)
  const ofRow = ownsSome ? openDetails(sealer, row) : {}
  const details = Object.fromEntries(
    names.flatMap((name) => {
      const value = (own.has(name) ? ofRow : ofSeries)[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return { detailsSealed: sealed(sealer, row.id, details), labelKeys, transparent }
}

/** The details of a row, sealed for another id. */
export const detailsFor = (sealer: Sealer, row: Sealed, id: Uuid): Pick<EventRow, 'detailsSealed'> => ({
  detailsSealed: sealed(sealer, id, openDetails(sealer, row)),
})
