// `npm run trial -- failover [fault …]`: the service on a Postgres that is replicated, under a steady load, while its
// servers, their network and their manager break. `--help` names the faults.
import { fileURLToPath } from 'node:url'
import { refuse } from '../world/words.ts'
import { debianFolder, requireTools } from './debian.ts'
import { runIsolated } from './isolated.ts'
import { readWords } from './words.ts'

const words = process.argv.slice(2)
readWords(words)

process.exit(
  await runIsolated(fileURLToPath(new URL('./inside.ts', import.meta.url)), words, { TRIAL_DEBIAN: debian() }),
)

function debian(): string {
  try {
    requireTools()
    return debianFolder()
  } catch (error) {
    return refuse((error as Error).message)
  }
}
