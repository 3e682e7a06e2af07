// The socket to Postgres: connected, and encrypted if the address asks for it.
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** As the driver reads them from the address; `path` is the path of a Unix socket. */
type Place = { host: string; port: number; path?: string | false }

/** `sslmode` as in libpq, except that `require` and the weaker modes trust any certificate. */
const tlsModeOf = (url: string): string => {
  const { searchParams } = new URL(url)
  if (searchParams.get('sslrootcert') === 'system') return 'verify-full'
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? 'disable'
  return mode === 'false' ? 'disable' : mode
}

const trustsAnyone = (mode: string) => ['allow', 'prefer', 'require'].includes(mode)

/** Rejects with the error of the socket or the reason of the signal. */
export async function openSocket(url: string, place: Place, signal: AbortSignal): Promise<Socket> {
  const { host, port, path } = place
  signal.throwIfAborted()
  const socket = connect({ ...(path ? { path } : { host, port }), noDelay: true })
  const stop = () => socket.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await once(socket, 'connect')
    const mode = path ? 'disable' : tlsModeOf(url)
    return mode === 'disable' ? socket : await encrypted(socket, host, mode)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

async function encrypted(socket: Socket, host: string, mode: string): Promise<Socket> {
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
  })
  await once(secure, 'secureConnect')
  return secure
}
