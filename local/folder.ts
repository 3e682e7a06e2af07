import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder that only this user may read and write. Throws one line with the reason. */
export function requireFolder(path: string): void {
  makeFolder(path)
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch {
    throw new Error(`this user may not write to ${path}`)
  }
}

/** One level at a time: in a place such as /proc, where no folder can be made, Node's own `recursive` never returns. */
function makeFolder(path: string): void {
  const found = findEntry(path)
  if (found?.isDirectory()) return
  if (found) throw new Error(`${path} is a file, not a folder`)
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another process made it at the same moment.
    if (code !== 'EEXIST' || !findEntry(path)?.isDirectory()) throw new Error(`${path} cannot be made (${code})`)
  }
}

/** Undefined if it does not exist, or if a part of the path is not a folder. */
function findEntry(path: string) {
  try {
    return statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(`${path} cannot be read (${code})`)
  }
}
