// Asks as a process of its own, so that a test can stop it: `node src/testing/pausedAsker.ts <address>`. Says `ready` once it
// was answered, and what it was told when it is asked to stop.
import { openDb } from '../stores/postgres.ts'
import { startAsking } from './askers.ts'

const sql = openDb(process.argv[2]!, { connections: 3, deadlineMs: 500, name: 'paused asker' })
await sql`select 1`
const { stop } = startAsking(sql, 20)
process.once('message', async () => {
  process.send!(await stop())
  process.disconnect()
  await sql.end({ timeout: 1 })
})
process.send!('ready')
