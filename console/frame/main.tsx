import { type ReactNode, useEffect, useState } from 'react'
import { loading } from '../service/loading.ts'
import { useStore } from '../state/useStore.ts'

const patienceMs = 200

/** The main part of the page. It says that it is busy once a person would notice that they wait. */
export function Main({ children }: { children: ReactNode }) {
  const isLoading = useStore(loading) > 0
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    if (!isLoading) return setIsBusy(false)
    const timer = setTimeout(() => setIsBusy(true), patienceMs)
    return () => clearTimeout(timer)
  }, [isLoading])
  return (
    <main id="main" tabIndex={-1} aria-busy={isBusy}>
      {children}
    </main>
  )
}
