// The open resources of one trial, and the folder of its files. A failure halfway leaves nothing behind.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Opened = {
  /** A folder of its own, also for the logs. */
  dataDir: string
  /** Notes how something just opened is closed. */
  onClose(close: () => unknown): void
}

export type Closable = {
  dataDir: string
  /** Closes everything, the last opened first, and removes the folder unless it is kept. */
  close(keepFiles?: boolean): Promise<void>
}

/** Opens what `open` returns; what it noted before it failed is closed again. */
export async function openAll<T>(name: string, open: (opened: Opened) => Promise<T>): Promise<T & Closable> {
  const dataDir = mkdtempSync(join(tmpdir(), `agent-calendar-${name}-`))
  const closers: (() => unknown)[] = []
  const close = async (keepFiles = false) => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
    if (!keepFiles) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const parts = await open({ dataDir, onClose: (closeOne) => closers.push(closeOne) })
    return { ...parts, dataDir, close }
  } catch (error) {
    await close()
    throw error
  }
}
