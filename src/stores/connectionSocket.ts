// The socket to Postgres: connected, and encrypted if the address asks for it.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type DatabaseAddress, socketFile } from './databaseUrl.ts'

/** As in libpq, except that `require` and the weaker modes trust any certificate. */
const trustsAnyone = (mode: string) => ['allow', 'prefer', 'require'].includes(mode)

/** Rejects with the error of the socket or the reason of the signal. */
export async function openSocket(address: DatabaseAddress, nthHost: number, signal: AbortSignal): Promise<Socket> {
  const { host, port } = address.hosts[nthHost % address.hosts.length]!
  const isFolder = host.startsWith('/')
  signal.throwIfAborted()
  const endpoint = isFolder ? { path: socketFile(host, port) } : { host, port }
  const socket = connect({ ...endpoint, noDelay: true })
  const stop = () => socket.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await once(socket, 'connect')
    return isFolder || address.sslMode === 'disable' ? socket : await encrypted(socket, host, address)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

async function encrypted(socket: Socket, host: string, address: DatabaseAddress): Promise<Socket> {
  const { sslMode: mode, sslRootCert } = address
  socket.write(sslRequest)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  // Exactly one letter: bytes that arrive before the encryption could come from anybody.
  const letter = answer.toString('latin1')
  if (letter === 'N' && ['allow', 'prefer'].includes(mode)) return socket
  if (letter !== 'S') throw new Error('Postgres does not offer TLS, which sslmode asks for')
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: !trustsAnyone(mode),
    ...(sslRootCert && sslRootCert !== 'system' && { ca: readFileSync(sslRootCert) }),
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  })
  await once(secure, 'secureConnect')
  return secure
}
