import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const keptBytes = 10 * 1024 * 1024

/** Opens the log of a server's own output, which continues across runs. One older file is kept. */
export function openLog(file: string): { fd: number; close(): void } {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > keptBytes) renameSync(file, `${file}.1`)
  const fd = openSync(file, 'a', 0o600)
  return { fd, close: () => closeSync(fd) }
}

/** The last line that matches, or the last of all if none does. */
export function lastLine(file: string, pattern: RegExp): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.findLast((line) => pattern.test(line)) ?? lines.at(-1) ?? ''
}
