import { useEffect, useRef, useState } from 'react'
import type { Change } from '../../../clients/typescript/src/entry.ts'
import { onChanges } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { type ChangeFilter, maxKept, withNewer } from './types.ts'

const pageSize = 200

/** Changes, newest first: those that are heard while it is live, and those that are kept, from the oldest. */
export function useTail(filter: ChangeFilter, isLive: boolean) {
  const [entries, setEntries] = useState<readonly Change[]>([])
  const [error, setError] = useState<unknown>()
  /** Where the reading of kept changes stopped because the list was full. */
  const [cursor, setCursor] = useState<string>()
  const reading = useRef<AbortController>(undefined)
  /** Whether older changes must be read before what is heard. */
  const isBehind = useRef(false)
  const heldBack = useRef<readonly Change[]>([])
  const isPaused = useRef(false)
  isPaused.current = !isLive

  const show = (newer: readonly Change[]) => setEntries((now) => withNewer(now, newer))

  function release() {
    if (isPaused.current || isBehind.current) return
    show(heldBack.current)
    heldBack.current = []
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it hears by refs
  useEffect(
    () =>
      onChanges((heard) => {
        if (isPaused.current || isBehind.current) heldBack.current = [...heldBack.current, ...heard].slice(-maxKept)
        else show(heard)
      }),
    [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the switch is a reason
  useEffect(release, [isLive])
  useEffect(() => () => reading.current?.abort(), [])

  /** Until the list is full, or nothing is left. */
  async function readFrom(start: string) {
    reading.current?.abort()
    reading.current = new AbortController()
    const { signal } = reading.current
    isBehind.current = true
    setError(undefined)
    if (start === 'oldest') setEntries([])
    try {
      let at = start
      for (let count = 0; count < maxKept; ) {
        const page = await service.changes.list({ ...filter, cursor: at, limit: pageSize, signal })
        show(page.data)
        at = page.cursor
        count += page.data.length
        if (page.has_more) continue
        isBehind.current = false
        setCursor(undefined)
        return release()
      }
      setCursor(at)
    } catch (reason) {
      if (!signal.aborted) setError(reason)
    }
  }

  // Another filter shows changes that were not read.
  const filterKey = JSON.stringify(filter)
  const wasRead = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another filter is a reason
  useEffect(() => {
    if (wasRead.current) readFrom('oldest')
  }, [filterKey])

  return {
    entries,
    error,
    readOn: cursor ? () => readFrom(cursor) : undefined,
    readOldest() {
      wasRead.current = true
      return readFrom('oldest')
    },
  }
}
