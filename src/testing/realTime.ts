// Fixtures of tests that wait for the real clock.
import { openRealTime } from './process.ts'
import { perFile, serviceTest } from './test.ts'

/** `serviceTest` with `real`, a process of the same service on the real clock, which the database tells as well. */
export const realTimeTest = () =>
  serviceTest().extend('real', perFile, async ({ service }, { onCleanup }) => {
    const real = await openRealTime(service)
    onCleanup(real.close)
    return real
  })
