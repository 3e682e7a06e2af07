import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder that this user alone may look into and write to. Throws what stands in the way, in words. */
export function requireFolder(path: string): void {
  makeFolder(path)
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch {
    throw new Error(`this user may not write to ${path}`)
  }
}

/** Takes away what an earlier version let everybody read. */
export function closeFolder(path: string): void {
  const found = lookAt(path)
  if (found?.isDirectory() && found.uid === process.getuid?.()) chmodSync(path, 0o700)
}

/** One level at a time: where nothing can be made, as in /proc, Node's own `recursive` tries for ever. */
function makeFolder(path: string): void {
  const found = lookAt(path)
  if (found?.isDirectory()) return
  if (found) throw new Error(`${path} is a file, not a folder`)
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Somebody else made it at the same moment.
    if (code !== 'EEXIST' || !lookAt(path)?.isDirectory()) throw new Error(`${path} cannot be made (${code})`)
  }
}

/** Undefined where nothing is, or where something on the way is no folder. */
function lookAt(path: string) {
  try {
    return statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(`${path} cannot be looked at (${code})`)
  }
}
