import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SummaryReporter } from './tools/test/reporter.ts'
import { LongestFirst } from './tools/test/sequencer.ts'

/** Files that change what their whole process shares, with the reason. Each runs in a process of its own. */
const alone: Record<string, string> = {
  'src/feeds/allDay.test.ts': 'counts the objects of its process',
  'src/icalendar/hostile.test.ts': 'measures the memory of its process',
  'src/observability/tracing.test.ts': 'registers a tracer for the whole process and sets OTEL_ variables',
}

const timeoutMs = 120_000

export default defineConfig({
  test: {
    globalSetup: './tools/test/stores.ts',
    setupFiles: './tools/test/variables.ts',
    // Node itself loads the files, without their types: what runs here is what runs in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // Young objects live for a request: with more room for them they are collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // One more than there are cores: some tests wait for a real clock.
    maxWorkers: availableParallelism() + 1,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    teardownTimeout: timeoutMs,
    // `.ci/run` sets it: its machines are shared, and a stall of seconds fails a test of deadlines. The end names each test that needed it.
    retry: Number(process.env.TEST_RETRIES ?? 0),
    disableConsoleIntercept: true,
    sequence: { sequencer: LongestFirst },
    reporters: [new SummaryReporter()],
    coverage: { provider: 'v8', reporter: ['text-summary', 'html'], include: ['{src,api,workers}/**/*.ts'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', ...Object.keys(alone)],
        },
      },
      { extends: true, test: { name: 'alone', isolate: true, include: Object.keys(alone) } },
    ],
  },
})
