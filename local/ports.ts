import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Below the ports that systems give to outgoing connections, so that none of them takes it before it is used. */
const [lowest, highest] = [15_000, 32_000]
const maxTries = 100

/** A port of 127.0.0.1 on which nothing listens at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries++) {
    const port = randomInt(lowest, highest)
    if (!(await listenError(port, '127.0.0.1'))) return port
  }
  throw new Error(`No port between ${lowest} and ${highest} is free`)
}

/** Throws one line for the person at the terminal. Waits up to `waitMs` for an earlier process to release the port. */
export async function requireFreePort(port: number, host: string | undefined, waitMs = 0): Promise<void> {
  const until = performance.now() + waitMs
  for (;;) {
    const code = await listenError(port, host)
    if (!code) return
    if (code === 'EADDRNOTAVAIL') throw new Error(`HOST: ${host} is not an address of this machine, choose one that is`)
    if (code === 'EACCES') throw new Error(`PORT: this user may not listen on port ${port}, choose one above 1023`)
    if (performance.now() >= until)
      throw new Error(`PORT: ${port} is in use, choose another one: PORT=${port + 1} npm start`)
    await pause(100)
  }
}

/** Listens as the API does. */
async function listenError(port: number, host: string | undefined): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}
