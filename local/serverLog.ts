import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const keptBytes = 10 * 1024 * 1024

/** For a server's own output, across runs; one older file is kept. */
export function openLog(file: string): { fd: number; close(): void } {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > keptBytes) renameSync(file, `${file}.1`)
  const fd = openSync(file, 'a', 0o600)
  return { fd, close: () => closeSync(fd) }
}

/** The newest line that matches, else the newest of all. */
export function lastLine(file: string, pattern: RegExp): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.findLast((line) => pattern.test(line)) ?? lines.at(-1) ?? ''
}
