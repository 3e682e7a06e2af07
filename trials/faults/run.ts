// `npm run faults`: the whole service under a steady load while things break, one after another. Words choose single
// faults (`npm run faults -- kill-worker flush-redis`), `--help` names them. Loopback only, ends by itself, exit code 1
// when anything is wrong.
import { runFaults } from './trial.ts'
import { readWords } from './words.ts'

const { chosen, ...load } = readWords(process.argv.slice(2))
const what = 'Starting Postgres, Redis, two API processes and two workers'

process.exit(await runFaults({ what, faults: chosen, ...load, calmMs: 32_000, maxMs: 15 * 60_000 }))
