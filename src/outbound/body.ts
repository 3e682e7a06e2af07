// The body of a response as it comes in: bounded, and unpacked where it is packed.
import { createGunzip } from 'node:zlib'

/** Copies: a list of chunks would cost a hundred bytes of memory for each byte that is sent as a chunk of its own. */
export function openBody(maxBytes: number) {
  let buffer = Buffer.alloc(0)
  let size = 0
  return {
    /** False when the chunk was cut. */
    add: (chunk: Buffer) => {
      const kept = chunk.subarray(0, maxBytes - size)
      if (size + kept.length > buffer.length) {
        const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(2 * buffer.length, size + kept.length)))
        buffer.copy(grown, 0, 0, size)
        buffer = grown
      }
      kept.copy(buffer, size)
      size += kept.length
      return kept.length === chunk.length
    },
    bytes: () => buffer.subarray(0, size),
  }
}

export type Gunzip = {
  write(packed: Buffer): void
  end(): void
  stop(): void
}

type Taker = {
  /** False: the chunk was cut. */
  take(chunk: Buffer): boolean
  /** Once: more came out, or in, than is wanted. */
  excess(): void
  /** Once, unless stopped: at the end, or with the fault of the data. */
  done(error?: Error): void
}

/**
 * Unpacks while receiving. The consumer bounds the output; this bounds the input, because gzip may go on for ever without any
 * output.
 */
export function openGunzip(maxBytes: number, { take, excess, done }: Taker): Gunzip {
  const stream = createGunzip()
  let left = maxBytes
  let isOver = false
  const finish = (error?: Error) => {
    if (isOver) return
    stop()
    done(error)
  }
  const stop = () => {
    isOver = true
    stream.destroy()
  }
  const overflow = () => {
    stop()
    excess()
  }
  stream.on('data', (chunk: Buffer) => {
    if (!isOver && !take(chunk)) overflow()
  })
  stream.once('end', () => finish())
  stream.on('error', finish)
  return {
    write(packed) {
      if (isOver) return
      left -= packed.length
      if (left < 0) overflow()
      else stream.write(packed)
    },
    end: () => void (isOver || stream.end()),
    stop,
  }
}
