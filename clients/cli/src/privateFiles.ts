// Files that only this user can read.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { SignInError } from './failures.ts'

const folderOf = (variable: string, usual: string) =>
  join(process.env[variable] || join(homedir(), usual), 'agent-calendar')

export const signInsFile = () => join(folderOf('XDG_CONFIG_HOME', '.config'), 'session.json')
export const stateFile = (name: string) => join(folderOf('XDG_STATE_HOME', '.local/state'), name)

/** Other users can never read it, and a crash leaves the old one. */
export function writePrivately(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

export function readPrivate<T>(file: string): T | undefined {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SignInError(`${file} cannot be read: ${(error as Error).message}. Sign in again: agent-calendar login`)
  }
}
