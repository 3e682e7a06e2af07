// Runs the commands of a document as a reader does: in bash, in a folder that looks like the clone after `npm start`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../local/ports.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { root } from './markdown.ts'

export type Reader = {
  service: TestService
  key: string
  /** In `text`, `http://localhost:3000` and port 4000 are replaced by this service and a free port. */
  placed(text: string): string
  /** Runs commands; variables and functions of earlier commands stay. Resolves to their output. */
  run(commands: string): Promise<string>
  /** The lines that the receiver prints, once it listens. */
  receiver(): Promise<AsyncIterator<string>>
  close(): Promise<void>
}

/** A refused request ends the commands, and each response has a line of its own. */
const frame = `
set -euo pipefail
curl() { command curl --fail-with-body --show-error "$@"; local status=$?; echo; return $status; }
`

/** Background programs of a command write here, so that the end of the command itself is noticed. */
const background = (commands: string) => commands.replaceAll(/ &$/gm, ' > receiver.log 2>&1 & echo $! > receiver.pid')

export async function openReader(): Promise<Reader> {
  const service = await openTestService()
  // A receiver compares the time of a signature with its own clock.
  await service.clock.set(new Date())
  const { key } = await makeOrganization(service)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'reader-'))
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/demo.json'), JSON.stringify({ api_key: key }))
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  let following: ReturnType<typeof spawn> | undefined
  const placed = (commands: string) =>
    commands.replaceAll('http://localhost:3000', service.baseUrl).replaceAll(':4000', `:${port}`)

  return {
    service,
    key,
    placed,
    async run(commands) {
      const script = [
        frame,
        'touch variables; source ./variables',
        background(placed(commands)),
        'declare -p | grep -E "^declare -- [A-Z]+=" > variables; declare -f field >> variables || true',
      ].join('\n')
      const bash = spawn('bash', ['-c', script], {
        cwd: folder,
        env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [printed, complaints, [code]] = await Promise.all([
        text(bash.stdout),
        text(bash.stderr),
        once(bash, 'exit'),
      ])
      if (code !== 0) throw new Error(`exit code ${code}\n${printed}\n${complaints}`)
      return printed
    },
    async receiver() {
      await untilListening(port)
      following = spawn('tail', ['-n', '+1', '-F', 'receiver.log'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return createInterface({ input: following.stdout! })[Symbol.asyncIterator]()
    },
    async close() {
      following?.kill()
      const pidFile = join(folder, 'receiver.pid')
      if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')))
      rmSync(folder, { recursive: true })
      await service.close()
    },
  }
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect({ host: '127.0.0.1', port })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await pause(50)
  }
  throw new Error(`nothing listens on port ${port}`)
}
