// Asks as a process of its own, so that a test can stop it: `node src/testing/pausedAsker.ts <address>`. Says `ready` once it
// was answered, and what it was told when it is asked to stop.
import { openDb } from '../stores/postgres.ts'
import { startAsking } from './askers.ts'

const sql = openDb(process.argv[2]!, { connections: 3, deadlineMs: 500, name: 'paused asker' })
await sql`select 1`
const { stop } = startAsking(sql, 20)
process.once('message', async () => {
  const asked = await stop()
  // A process that ends does not wait for a long message to be read.
  await new Promise((resolve) => process.send!(asked, undefined, undefined, resolve))
  process.disconnect()
  await sql.end({ timeout: 1 })
})
process.send!('ready')
