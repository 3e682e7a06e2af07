// The short messages of the region Notifications, and the refusals that no form shows.
import type { OtherTime } from '../service/refusal.ts'
import { createStore } from './store.ts'

type Notice = { id: number; text: string; undo?: () => void }

const shownMs = 8_000
let nth = 0

export const notices = createStore<readonly Notice[]>([])

/** A notice with `undo` stays until its owner takes it away. */
export function notify(text: string, undo?: () => void): number {
  const id = ++nth
  notices.set((now) => [...now.slice(-3), undo ? { id, text, undo } : { id, text }])
  if (!undo) setTimeout(() => dismiss(id), shownMs)
  return id
}

export const dismiss = (id: number): void => notices.set((now) => now.filter((notice) => notice.id !== id))

/** Refused requests of controls without a form of their own. */
export const alarms = createStore<readonly Alarm[]>([])

/** `choose` takes one of the other times that the refusal offers. */
type Alarm = { id: number; error: unknown; choose?: (time: OtherTime) => void }

export const alarm = (error: unknown, choose?: Alarm['choose']): void =>
  alarms.set([{ id: ++nth, error, ...(choose && { choose }) }])

export const calm = (): void => alarms.set([])
