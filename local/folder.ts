import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { obstacleAt } from '../src/configValues.ts'

/** Makes a folder that only this user may read and write. Throws one line with the reason. */
export function requireFolder(path: string): void {
  const obstacle = obstacleAt(path)
  if (obstacle) throw new Error(obstacle)
  makeFolder(path)
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch {
    throw new Error(`this user may not write to ${path}`)
  }
}

/** One level at a time: in a place such as /proc, where no folder can be made, Node's own `recursive` never returns. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another process made it at the same moment.
    if (code !== 'EEXIST' || !statSync(path).isDirectory()) throw new Error(`${path} cannot be made (${code})`)
  }
}
