// A value that parts of the page share outside of React: read it anywhere, follow it with `useStore`.

export type Store<T> = {
  get(): T
  set(change: T | ((now: T) => T)): void
  subscribe(changed: () => void): () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(change) {
      const next = typeof change === 'function' ? (change as (now: T) => T)(value) : change
      if (Object.is(next, value)) return
      value = next
      for (const changed of listeners) changed()
    },
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}
