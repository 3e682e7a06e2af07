import type { Stretch } from './drag.ts'
import type { Item } from './items.ts'
import type { Moves } from './moves.tsx'

/** The acts of a person on events, whichever view shows them. */
export type Acts = {
  /** The role of the person allows changes. */
  mayChange: boolean
  open: (item: Item) => void
  edit: (item: Item) => void
  remove: (item: Item) => void
  /** Opens the form. */
  create: (stretch: Stretch, calendarId?: string) => void
  /** Opens the rest of a crowd. */
  openMore: (items: readonly Item[], title: string) => void
  moves: Moves
}
