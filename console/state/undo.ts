// Deleting with a way back: the thing is gone at once, and the request leaves after six seconds, or when the page does.
import { texts } from '../texts.ts'
import { alarm, dismiss, notify } from './notices.ts'
import { createStore } from './store.ts'

const undoMs = 6_000

/** The ids of things that are deleted on the screen. */
export const removed = createStore<ReadonlySet<string>>(new Set())

const pending = new Map<string, () => void>()

export function removeWithUndo(id: string, noun: string, send: () => Promise<unknown>): void {
  const show = () => removed.set((now) => new Set([...now].filter((one) => one !== id)))
  const settle = () => {
    pending.delete(id)
    clearTimeout(timer)
    dismiss(notice)
  }
  const leave = () => {
    settle()
    send().then(show, (error) => {
      show()
      alarm(error)
    })
  }
  const notice = notify(texts.deleted(noun), () => {
    settle()
    show()
  })
  const timer = setTimeout(leave, undoMs)
  pending.set(id, leave)
  removed.set((now) => new Set([...now, id]))
}

/** Before a sign-out and when the page goes away. */
export function sendRemovals(): void {
  for (const leave of [...pending.values()]) leave()
}
