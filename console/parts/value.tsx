import { texts } from '../texts.ts'
import { Moment } from './moment.tsx'

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

/** A value of a record of any type. Text that others wrote stays text. */
export function Value({ of }: { of: unknown }) {
  if (of === null || of === undefined || of === '') return '–'
  if (typeof of === 'boolean') return of ? texts.yes : texts.no
  if (typeof of === 'string') return isMoment(of) ? <Moment at={of} /> : of
  if (typeof of === 'object') return <code>{JSON.stringify(of)}</code>
  return String(of)
}
