// Prints the active files, every failure with its error, the tests that passed only at their second try, and at the very end one
// line: `N passed, N failed, N skipped`.
import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import { DefaultReporter, type TestModule, type TestRunEndReason } from 'vitest/node'
import { type Timings, timingsFile } from './sequencer.ts'

export class SummaryReporter extends DefaultReporter {
  constructor() {
    super({ summary: false })
  }

  override onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    unhandledErrors: ReadonlyArray<SerializedError>,
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, unhandledErrors, reason)
    if (process.env.TEST_TIMINGS) writeTimings(modules)
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A file that cannot be loaded and a hook that throws have no test of their own.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    const failed = count('failed') + suites.filter((suite) => suite.errors().length > 0).length + unhandledErrors.length
    for (const test of tests.filter((one) => one.diagnostic()?.flaky)) {
      this.log(`passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}`)
    }
    const skipped = count('skipped') + count('pending')
    this.log(`${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  }
}

/** From the first import of each file to its last hook. */
function writeTimings(modules: ReadonlyArray<TestModule>): void {
  const timings: Timings = {}
  for (const module of modules.toSorted((a, b) => (a.relativeModuleId < b.relativeModuleId ? -1 : 1))) {
    const { collectDuration, duration } = module.diagnostic()
    timings[module.relativeModuleId] = Math.round(collectDuration + duration)
  }
  writeFileSync(timingsFile, `${JSON.stringify(timings, null, 2)}\n`)
}
