import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Throws the line for the person at the terminal; waits for a predecessor that is just letting go. */
export async function requireFreePort(port: number, host: string | undefined, waitMs = 0): Promise<void> {
  const until = performance.now() + waitMs
  for (;;) {
    const code = await listenError(port, host)
    if (!code) return
    if (code === 'EADDRNOTAVAIL') throw new Error(`HOST: ${host} is not an address of this machine`)
    if (code === 'EACCES') throw new Error(`PORT: this user may not listen on port ${port}`)
    if (performance.now() >= until) throw new Error(`PORT: ${port} is in use, choose another one: PORT=3001 npm start`)
    await pause(100)
  }
}

/** As the API listens. */
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
