// One stream of changes per browser and organization: the tab that holds the lock reads it, and tells the others. A hidden tab lets go after a
// minute, and continues where it stopped.
import { type Change, readEvents } from '../../clients/typescript/src/entry.ts'
import { createStore } from '../state/store.ts'
import { queryClient } from './queryClient.ts'
import { service } from './service.ts'

export const connection = createStore<'live' | 'reconnecting' | 'offline'>('reconnecting')

/** The nouns whose lists have changed since they were read. */
export const news = createStore<ReadonlySet<string>>(new Set())

type Note = { kind: 'changes'; entries: readonly Change[] } | { kind: 'resync' } | { kind: 'status'; isLive: boolean }

const hiddenMs = 60_000
const pollMs = 10_000
const ownMs = 3_000
const gatherMs = 300
let cursor: string | undefined
let hasBegun = false
let actedAt = 0
const listeners = new Set<(entries: readonly Change[]) => void>()

/** Every change as it happens, until the returned function is called. */
export function onChanges(listener: (entries: readonly Change[]) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A person's own changes are shown without asking. */
export function acted(...nouns: string[]): Promise<unknown> {
  actedAt = Date.now()
  return Promise.all(
    nouns.map((noun) => queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOf(queryKey, noun) })),
  )
}

/** After a deletion: the lists are old, and the record is not read again. */
export function forget(noun: string, id: string): Promise<unknown> {
  queryClient.removeQueries({ queryKey: ['one', noun, id] })
  return acted(noun)
}

/** Keys begin with `list`, `one` or `live` and the noun, or several; Start shows all of them. */
const isOf = ([kind, names]: readonly unknown[], noun: string) => [names].flat().includes(noun) || kind === 'start'

export const showNew = (noun: string): void => {
  news.set((now) => new Set([...now].filter((one) => one !== noun)))
  queryClient.invalidateQueries({ queryKey: ['list', noun] })
}

function hear(note: Note): void {
  if (note.kind === 'status') setStatus(note.isLive)
  else if (note.kind === 'resync') queryClient.invalidateQueries()
  else hearChanges(note.entries)
}

const heard = new Set<string>()

/** Many changes in a row are one reason to read again. */
function hearChanges(entries: readonly Change[]): void {
  if (heard.size === 0) setTimeout(readAgain, gatherMs)
  for (const { resource } of entries) heard.add(resource.type)
  for (const hearsOf of listeners) hearsOf(entries)
}

function readAgain(): void {
  const nouns = [...heard]
  heard.clear()
  const isOwn = Date.now() - actedAt < ownMs
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => nouns.some((noun) => isOf(queryKey, noun)) && (queryKey[0] !== 'list' || isOwn),
  })
  if (!isOwn) news.set((now) => new Set([...now, ...nouns]))
}

function setStatus(isLive: boolean): void {
  connection.set(!navigator.onLine ? 'offline' : isLive ? 'live' : 'reconnecting')
}

/** Follows the changes of an organization until the signal ends. */
export function follow(organizationId: string, end: AbortSignal): void {
  const lock = `console-changes:${organizationId}`
  const channel = new BroadcastChannel(lock)
  const tell = (note: Note) => {
    channel.postMessage(note)
    hear(note)
  }
  channel.onmessage = ({ data }: MessageEvent<Note>) => hear(data)
  let session = new AbortController()
  let hiding: ReturnType<typeof setTimeout> | undefined
  let isFollowing = false

  /** Begins again after each end of a session, as long as somebody may look. */
  async function lead() {
    if (isFollowing) return
    isFollowing = true
    while (!end.aborted && !(document.hidden && session.signal.aborted)) {
      session = new AbortController()
      const { signal } = session
      // A tab that waits for the lock hears the one that has it.
      if ((await navigator.locks.query()).held?.some(({ name }) => name === lock)) setStatus(true)
      await navigator.locks.request(lock, { signal }, () => read(signal, tell)).catch(() => {})
    }
    isFollowing = false
  }

  const look = () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(() => keepCursor().finally(() => session.abort()), hiddenMs)
    else lead()
  }
  // A stream may seem open for minutes after the network was away.
  const online = () => {
    setStatus(false)
    session.abort()
  }
  document.addEventListener('visibilitychange', look)
  addEventListener('online', online)
  addEventListener('offline', online)
  end.addEventListener('abort', () => {
    session.abort()
    document.removeEventListener('visibilitychange', look)
    removeEventListener('online', online)
    removeEventListener('offline', online)
    channel.close()
  })
  look()
}

/** The stream begins now. The first thing that it says has a cursor, from which it is followed. */
async function begin(signal: AbortSignal, tell: (note: Note) => void): Promise<void> {
  const stream = await service.changes.openStream({ signal })
  tell({ kind: 'status', isLive: true })
  // Whatever happened since an earlier stream broke was missed.
  if (hasBegun) tell({ kind: 'resync' })
  hasBegun = true
  for await (const { event, data, id } of readEvents(stream)) {
    if (event === 'change') tell({ kind: 'changes', entries: JSON.parse(data) })
    cursor = id
    if (cursor) return
  }
}

/** So that a tab that lets go of the stream can continue where it stopped. */
async function keepCursor(): Promise<void> {
  cursor ??= (await service.changes.list()).cursor
}

async function read(signal: AbortSignal, tell: (note: Note) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!cursor) await begin(signal, tell)
      tell({ kind: 'status', isLive: true })
      for await (const step of service.changes.follow({
        cursor,
        signal,
        onTrouble: () => tell({ kind: 'status', isLive: false }),
      })) {
        tell({ kind: 'status', isLive: true })
        cursor = step.cursor
        if (step.kind === 'resync') tell({ kind: 'resync' })
        if (step.kind === 'changes') tell({ kind: 'changes', entries: step.entries })
      }
    } catch {
      if (signal.aborted) return
      // Without a stream the screens are read again every ten seconds.
      tell({ kind: 'status', isLive: false })
      await pause(pollMs, signal)
      tell({ kind: 'resync' })
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', resolve, { once: true })
  })
