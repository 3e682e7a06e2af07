// Times of a field for a date and a time, as the API takes and gives them. Pure.
import { localTime } from '../../clients/typescript/src/entry.ts'
import { wallOf } from './days.ts'

/** `2026-12-01T10:00`, as the clock of a zone shows a moment. */
export const wallText = (at: string, zone: string): string =>
  new Date(wallOf(Date.parse(at), zone)).toISOString().slice(0, 16)

/** With its zone. An unfinished time goes as it is, so that the service says what is wrong with it. */
export const momentText = (wall: string, zone: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) ? localTime(wall, zone) : wall
