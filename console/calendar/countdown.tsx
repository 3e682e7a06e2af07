import { useEffect, useState } from 'react'
import { leftText } from './holds.ts'

/** Minutes and seconds until a moment. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <>{leftText(Date.parse(until) - now)}</>
}
