// Interim responses without a request for them (RFC 9110, 15.2): a client reads them and waits for the final one. Undici reads
// 102 and 103 so, but ends the connection at a 100. Every 100 therefore reaches it as a 102.
import type { Socket } from 'node:net'

const statusAt = 'HTTP/1.1 '.length
const [zero, one, two] = Buffer.from('012') as unknown as [number, number, number]
const [carriageReturn, lineFeed] = Buffer.from('\r\n') as unknown as [number, number]

/** Of a connection that undici is given: it takes the bytes by `read`, and has one request on it at a time. */
export function passContinue<S extends Socket>(socket: S): S {
  const rename = openRenaming()
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...sent: unknown[]) => boolean
  socket.read = () => {
    const chunk: Buffer | null = read()
    if (chunk) rename.take(chunk)
    return chunk
  }
  // A request is written before its response comes.
  socket.write = (...sent: unknown[]) => {
    rename.restart()
    return write(...sent)
  }
  return socket
}

/** Follows the heads of a response until the final one begins, however they are cut into chunks. */
export function openRenaming() {
  let isFinal = false
  /** In the head. */
  let at = 0
  let isInterim = false
  let isLineEmpty = false

  function takeByte(chunk: Buffer, index: number) {
    const byte = chunk[index]
    if (at === 0 && (byte === carriageReturn || byte === lineFeed)) return
    if (at === statusAt && byte !== one) isFinal = true
    if (at === statusAt + 1) isInterim = byte === zero
    if (at === statusAt + 2 && isInterim && byte === zero) chunk[index] = two
    at++
    if (byte === lineFeed) {
      if (isLineEmpty) at = 0
      isLineEmpty = true
    } else if (byte !== carriageReturn) isLineEmpty = false
  }

  return {
    take(chunk: Buffer) {
      for (let index = 0; index < chunk.length && !isFinal; index++) takeByte(chunk, index)
    },
    restart() {
      isFinal = false
      at = 0
      isLineEmpty = false
    },
  }
}
