// `npm test`: every test file, or those whose paths hold a word of the command line. Words that begin with `-` go to Vitest
// (`npm test -- -t lapse src/events`); `--timings` writes down how long each file took, for the order of the next runs.
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseCLI, startVitest } from 'vitest/node'

const words = process.argv.slice(2)
if (words.includes('--timings')) process.env.TEST_TIMINGS = 'write'
const { filter, options } = parseCLI(['vitest', 'run', ...words.filter((word) => word !== '--timings')])

const files = globSync('**/*.test.ts', { exclude: (name) => name === 'node_modules' })
const unknown = filter.filter((name) => !files.some((file) => file.includes(name)))
if (unknown.length > 0) {
  console.error(`agent-calendar: no test file matches ${unknown.join(' ')}`)
  process.exit(1)
}

// Tests start many processes of the same programs. Coverage of functions from the cache is less exact.
const cacheDir = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
if (!options.coverage?.enabled) process.env.NODE_COMPILE_CACHE ??= cacheDir

const vitest = await startVitest(filter, options)
await vitest.exit()
