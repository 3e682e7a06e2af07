// A feed as text, and the same feed after changes: the lines of an event are written again only if its version has changed.
import type { Uuid } from '../shapes/ids.ts'
import { openTurns } from '../shapes/slices.ts'
import { idAt, isSameAt, versionBytes } from './versions.ts'

/** Event `n` has version `n` of `versions`, and its lines are those from `starts[n]` to `starts[n + 1]` of `body`. */
export type FeedText = { body: Buffer; versions: Buffer; starts: Uint32Array }

type Feed = {
  /** The lines before the first event and after the last one. */
  frame: readonly [string, string]
  versions: Buffer
  /** The lines of an event; undefined if it was not read, because it should be in `last`. */
  write(id: Uuid): string | undefined
  turns?: ReturnType<typeof openTurns>
}

/**
 * Events that have not changed are in the same order in both, so one walk along `last` finds them. Undefined if an event is
 * neither there nor can be written.
 */
export async function spliceFeed(last: FeedText | undefined, { frame, versions, write, turns = openTurns() }: Feed) {
  const count = versions.length / versionBytes
  const starts = new Uint32Array(count + 1)
  const pieces = openPieces(frame[0])
  let known = 0
  for (let nth = 0; nth < count; nth++) {
    starts[nth] = pieces.length()
    if (!last || !isSameAt(last.versions, known, versions, nth)) {
      const lines = write(idAt(versions, nth))
      if (lines !== undefined) {
        pieces.add(lines)
        if (turns.isOver()) await turns.next()
        continue
      }
      known = offsetOf(versions, nth, last, known)
      if (known === -1) return undefined
    }
    pieces.copy(last!.body, last!.starts[known]!, last!.starts[known + 1]!)
    known++
  }
  starts[count] = pieces.length()
  pieces.add(frame[1])
  return { body: pieces.join(), versions, starts }
}

/** Where `last` has the version, not before `from`; -1 if nowhere. */
function offsetOf(versions: Buffer, nth: number, last: FeedText | undefined, from: number): number {
  const count = (last?.versions.length ?? 0) / versionBytes
  for (let at = from; at < count; at++) if (isSameAt(last!.versions, at, versions, nth)) return at
  return -1
}

/** Bytes one after the other. Neighbours that are copied from one place become one piece. */
function openPieces(first: string) {
  const pieces: Buffer[] = [Buffer.from(first)]
  let length = pieces[0]!.length
  let copied = { from: 0, to: 0 }
  return {
    length: () => length,
    add(text: string) {
      const piece = Buffer.from(text)
      pieces.push(piece)
      length += piece.length
      copied = { from: 0, to: 0 }
    },
    copy(source: Buffer, from: number, to: number) {
      if (from === copied.to) pieces.pop()
      else copied = { from, to: from }
      copied.to = to
      pieces.push(source.subarray(copied.from, to))
      length += to - from
    },
    join: () => Buffer.concat(pieces, length),
  }
}
