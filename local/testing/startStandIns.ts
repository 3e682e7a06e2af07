// `npm start` with stand-ins: argv is the journal, then `name:behaviour` for each child. WATCHED is a folder of sources.
import { fileURLToPath } from 'node:url'
import { runStack } from '../stack.ts'

const [journal, ...children] = process.argv.slice(2)
const commands = children.map((child) => {
  const [name = '', behaviour = ''] = child.split(':')
  return { name, file: fileURLToPath(new URL('./standIn.ts', import.meta.url)), args: [name, behaviour, journal!] }
})
// The test's end of the pipe closes when the test process ends, in any way.
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume()
const watched = process.env.WATCHED ? [process.env.WATCHED] : []
process.exit(await runStack({ env: process.env, commands, isDemoEmpty: true, watched }))
