import { useEffect, useState } from 'react'
import type { Find, Option } from './options.ts'

const pauseMs = 200
const none: readonly Option[] = []

/** The labels of options that were found once, by their values. */
const labels = new Map<string, string>()

export const foundLabel = (value: string): string | undefined => labels.get(value)

/** Asks the service by the typed text. The last text wins. */
export function useFound(typed: string, find: Find | undefined): readonly Option[] {
  const [found, setFound] = useState(none)
  const query = typed.trim()
  useEffect(() => {
    setFound(none)
    if (!find || query === '') return
    const end = new AbortController()
    const timer = setTimeout(async () => {
      const options = await find(query, end.signal).catch(() => none)
      if (end.signal.aborted) return
      for (const { value, label } of options) labels.set(value, label)
      setFound(options)
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [query, find])
  return found
}
